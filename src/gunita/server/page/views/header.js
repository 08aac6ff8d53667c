/** The head of a conversation: its title, and what can be done with it. */
/** @import { Conversation } from "../types" */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { change, remove, toggleArchived, writeOut } from "../actions/listing.js";
import { current } from "../state/conversations.js";
import { about, drawer } from "../state/shell.js";
import { say } from "../text/say.js";
import { hoursLeft, largestUnit } from "../times.js";
import { IconButton, Menu } from "./buttons.js";
import { Icon } from "./icons.js";
import { toggleSidebar } from "./widths.js";

export function Header() {
  const conversation = current.value;
  return html`<header class="header">
    <${SidebarButton} />
    ${conversation ? html`<${Title} key=${conversation.id} conversation=${conversation} />` : html`<div class="title-place"></div>`}
    ${conversation && html`<${Actions} conversation=${conversation} />`}
    <${IconButton}
      icon="memory"
      label=${say("memories_title")}
      expanded=${drawer.value?.kind === "memories"}
      onClick=${() => (drawer.value = drawer.value?.kind === "memories" ? null : { kind: "memories" })}
    />
  </header>`;
}

export function SidebarButton() {
  return html`<${IconButton} class="sidebar-button" icon="menu" label=${say("toggle_sidebar")} onClick=${toggleSidebar} />`;
}

/** @param {{ conversation: Conversation }} props */
function Title({ conversation }) {
  const [editing, setEditing] = useState(false);
  const title = conversation.title ?? say("untitled");
  if (!editing) {
    return html`<div class="title-place">
      <h1 class="title">
        <button type="button" title=${say("rename")} onClick=${() => setEditing(true)}>
          <span>${title}</span><${Icon} name="edit" />
        </button>
      </h1>
      <${Remaining} conversation=${conversation} />
    </div>`;
  }
  /** @param {HTMLInputElement} input */
  const keep = (input) => {
    setEditing(false);
    const wanted = input.value.trim();
    if (wanted && wanted !== conversation.title) void change(conversation.id, { title: wanted });
  };
  return html`<div class="title-place">
    <input
      class="title-input"
      aria-label=${say("title")}
      maxlength="500"
      value=${conversation.title ?? ""}
      ref=${(/** @type {HTMLInputElement | null} */ input) => input && document.activeElement !== input && input.focus()}
      onBlur=${(/** @type {FocusEvent} */ event) => keep(/** @type {HTMLInputElement} */ (event.target))}
      onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Enter") keep(/** @type {HTMLInputElement} */ (event.target));
        if (event.key === "Escape") {
          event.stopPropagation();
          // Leaving the field keeps what it holds.
          /** @type {HTMLInputElement} */ (event.target).value = conversation.title ?? "";
          setEditing(false);
        }
      }}
    />
  </div>`;
}

/** @param {{ conversation: Conversation }} props */
function Remaining({ conversation }) {
  const hours = hoursLeft(conversation, about.value?.retention_hours ?? 24, new Date());
  if (hours === null) return html`<span class="remaining"><${Icon} name="pin" />${say("expires_never")}</span>`;
  const { unit, count } = largestUnit(hours);
  const text = count === 0 ? say("expires_soon") : say("expired_in", { time: say(`in_${unit}`, { count }) });
  return html`<span class="remaining"><${Icon} name="time" />${text}</span>`;
}

/** @param {{ conversation: Conversation }} props */
function Actions({ conversation }) {
  const { id, pinned, archived } = conversation;
  return html`<div class="header-actions">
    <${IconButton}
      icon="pin"
      label=${say(pinned ? "unpin" : "pin")}
      pressed=${pinned}
      onClick=${() => void change(id, { pinned: !pinned })}
    />
    <${Menu} icon="more" label=${say("more")}>
      <button type="button" data-chooses onClick=${() => void writeOut(conversation, "markdown")}>
        <${Icon} name="download" /><span>${say("export")}: ${say("export_markdown")}</span>
      </button>
      <button type="button" data-chooses onClick=${() => void writeOut(conversation, "json")}>
        <${Icon} name="download" /><span>${say("export")}: ${say("export_json")}</span>
      </button>
      <button type="button" data-chooses onClick=${() => void toggleArchived(conversation)}>
        <${Icon} name="archive" /><span>${say(archived ? "unarchive" : "archive")}</span>
      </button>
      <button type="button" class="danger" data-chooses onClick=${() => remove(id)}>
        <${Icon} name="trash" /><span>${say("delete")}</span>
      </button>
    </${Menu}>
  </div>`;
}
