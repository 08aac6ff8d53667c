/** The sidebar: conversations in groups, search as you type, and the way to everything else. */
/** @import { Conversation, Found } from "../types" */
import { html } from "htm/preact";
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { loadMore, search } from "../actions/listing.js";
import {
  currentId, found, listed, loaded, nextOffset, searchText, showArchived, unread, visible,
} from "../state/conversations.js";
import { about, drawer, hashOf, helpOpen, route, sidebarOpenOnPhone } from "../state/shell.js";
import { answers, isRunning } from "../state/thread.js";
import { say } from "../text/say.js";
import { grouped, hoursLeft, largestUnit } from "../times.js";
import { IconButton, Snippet } from "./buttons.js";
import { Icon, Mark } from "./icons.js";
import { startNew } from "./keys.js";
import { Settings } from "./settings.js";
import { toggleSidebar } from "./widths.js";

/** What time it is, as far as the sidebar cares. */
const now = signal(new Date());

export function Sidebar() {
  useEffect(() => {
    const timer = setInterval(() => (now.value = new Date()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return html`<nav class="sidebar" aria-label=${say("conversations")}>
    <div class="brand">
      <a href="#/" class="brand-name" aria-label=${`Gunita: ${say("new")}`}><${Mark} /><span>Gunita</span></a>
      <${IconButton} icon="menu" label=${say("toggle_sidebar")} onClick=${toggleSidebar} />
    </div>
    <button type="button" class="new-button" onClick=${startNew}><${Icon} name="new" /><span>${say("new")}</span></button>
    <${Search} />
    <div class="list" tabindex="-1">
      ${found.value ? html`<${Results} hits=${found.value} />` : html`<${Groups} />`}
    </div>
    <div class="sidebar-foot">
      <a class="foot-link" href="#/insights" aria-current=${route.value.view === "insights" ? "page" : undefined}>
        <${Icon} name="chart" /><span>${say("insights")}</span>
      </a>
      <button type="button" class="foot-link" aria-expanded=${drawer.value?.kind === "memories"} onClick=${showMemories}>
        <${Icon} name="memory" /><span>${say("memories")}</span>
      </button>
      <${Settings} />
      <${IconButton} icon="help" label=${say("help")} onClick=${() => (helpOpen.value = true)} />
    </div>
  </nav>`;
}

function showMemories() {
  drawer.value = { kind: "memories" };
  sidebarOpenOnPhone.value = false;
}

function Search() {
  return html`<div class="search" role="search">
    <${Icon} name="search" />
    <input
      id="search"
      type="search"
      aria-label=${say("find")}
      placeholder=${say("find")}
      value=${searchText.value}
      onInput=${(/** @type {InputEvent} */ event) => search(/** @type {HTMLInputElement} */ (event.target).value)}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key !== "Escape" || !searchText.value) return;
        event.stopPropagation();
        search("");
      }}
    />
  </div>`;
}

function Groups() {
  const groups = grouped(visible.value, now.value);
  const anyArchived = showArchived.value || listed.value.some((conversation) => conversation.archived);
  return html`
    ${groups.map(
      (group) => html`<section class="group" key=${group.name} aria-labelledby=${`group-${group.name}`}>
        <h2 id=${`group-${group.name}`}>${say(/** @type {any} */ (group.name))}</h2>
        <ul>
          ${group.members.map((member) => html`<${Entry} key=${member.id} conversation=${member} />`)}
        </ul>
      </section>`,
    )}
    ${loaded.value && groups.length === 0 && html`<p class="quiet">${say("none")}</p>`}
    ${nextOffset.value !== null &&
    html`<button type="button" class="text-button wide" onClick=${() => void loadMore()}>${say("load_more")}</button>`}
    ${anyArchived &&
    html`<button
      type="button"
      class="text-button wide"
      aria-pressed=${showArchived.value}
      onClick=${() => (showArchived.value = !showArchived.value)}
    ><${Icon} name="archive" /><span>${say(showArchived.value ? "show_recent" : "show_archived")}</span></button>`}
  `;
}

function opened() {
  sidebarOpenOnPhone.value = false;
}

/** @param {{ conversation: Conversation }} props */
function Entry({ conversation }) {
  const { id } = conversation;
  const running = isRunning(answers.value.get(id) ?? null);
  return html`<li>
    <a class="entry" href=${hashOf(id)} onClick=${opened} aria-current=${currentId.value === id ? "page" : undefined}>
      <span class="entry-title">${conversation.title ?? say("untitled")}</span>
      <span class="entry-state">
        ${running && html`<span class="pulse" role="img" aria-label=${say("speaking")}></span>`}
        ${!running && unread.value.has(id) && html`<span class="dot" role="img" aria-label=${say("unread")}></span>`}
        <${TimeLeft} conversation=${conversation} />
      </span>
    </a>
  </li>`;
}

/** @param {{ conversation: Conversation }} props */
function TimeLeft({ conversation }) {
  if (conversation.pinned) {
    return html`<span class="left" title=${say("expires_never")}><${Icon} name="pin" /></span>`;
  }
  const hours = hoursLeft(conversation, about.value?.retention_hours ?? 24, now.value) ?? 0;
  const { unit, count } = largestUnit(hours);
  const time = say(`in_${unit}`, { count });
  return html`<span class=${hours < 1 ? "left soon" : "left"} title=${say("expired_in", { time })}>
    ${say(`short_${unit}`, { count })}
  </span>`;
}

/** @param {{ hits: Found[] }} props */
function Results({ hits }) {
  if (hits.length === 0) return html`<p class="quiet">${say("nobody_found", { text: searchText.value })}</p>`;
  return html`<ul class="results" aria-label=${say("find")}>
    ${hits.map(
      (hit) => html`<li key=${hit.conversation.id}>
        <a class="entry hit" href=${hashOf(hit.conversation.id, hit.turn_number)} onClick=${opened}>
          <span class="entry-title">
            ${hit.turn_number === null && hit.snippet.length > 0
              ? html`<${Snippet} parts=${hit.snippet} />`
              : (hit.conversation.title ?? say("untitled"))}
          </span>
          ${hit.turn_number !== null && html`<span class="hit-text"><${Snippet} parts=${hit.snippet} /></span>`}
        </a>
      </li>`,
    )}
  </ul>`;
}
