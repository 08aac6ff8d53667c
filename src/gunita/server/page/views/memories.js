/** The memory panel: what is known about me, where it came from, and what it said before. */
/** @import { Belief, Memory, MemoryType } from "../types" */
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import { add, change, extract, forget, loadMemories, showHistory, showSource } from "../actions/remembering.js";
import { currentId } from "../state/conversations.js";
import {
  categories, categoryWanted, editing, histories, loaded, matching, memories, progress, textWanted, TYPES, typeWanted,
} from "../state/memories.js";
import { language } from "../state/settings.js";
import { say, sayOne } from "../text/say.js";
import { calendarDay } from "../times.js";
import { IconButton } from "./buttons.js";
import { Icon } from "./icons.js";
import { Panel } from "./panel.js";
import { uncoverThread } from "./widths.js";

export function MemoryPanel() {
  useEffect(() => void loadMemories(), []);
  return html`<${Panel} title=${say("memories_title")}>
    <div class="panel-actions">
      <button type="button" class="primary-button" onClick=${() => (editing.value = "new")}>
        <${Icon} name="new" /><span>${say("add_memory")}</span>
      </button>
      <button type="button" class="soft-button" disabled=${progress.value !== null} onClick=${() => void extract(currentId.value)}>
        <${Icon} name="spark" /><span>${say("extract")}</span>
      </button>
    </div>
    <${ExtractionProgress} />
    ${editing.value === "new" && html`<${MemoryForm} memory=${null} />`}
    ${memories.value.length > 0 && html`<${Filters} />`}
    <${List} />
  </${Panel}>`;
}

function ExtractionProgress() {
  const state = progress.value;
  if (state === null) return null;
  const all = state.messages_read + state.messages_waiting;
  return html`<div class="progress" role="status">
    <span>${say("extracting", { read: state.messages_read, all })}</span>
    <progress max=${Math.max(1, all)} value=${state.messages_read} aria-label=${say("extract")}></progress>
  </div>`;
}

function Filters() {
  return html`<div class="filters">
    <div class="search" role="search">
      <${Icon} name="search" />
      <input
        type="search"
        aria-label=${say("find_memories")}
        placeholder=${say("find_memories")}
        value=${textWanted.value}
        onInput=${(/** @type {Event} */ event) => (textWanted.value = /** @type {HTMLInputElement} */ (event.target).value)}
      />
    </div>
    <div class="chips" role="group" aria-label=${say("type")}>
      <${TypeChip} type=${null} />
      ${TYPES.filter((type) => memories.value.some((memory) => memory.memory_type === type)).map(
        (type) => html`<${TypeChip} key=${type} type=${type} />`,
      )}
    </div>
    ${categories.value.length > 0 &&
    html`<select
      aria-label=${say("category")}
      value=${categoryWanted.value ?? ""}
      onChange=${(/** @type {Event} */ event) => (categoryWanted.value = /** @type {HTMLSelectElement} */ (event.target).value || null)}
    >
      <option value="">${say("all_categories")}</option>
      ${categories.value.map((name) => html`<option value=${name} selected=${name === categoryWanted.value}>${name}</option>`)}
    </select>`}
  </div>`;
}

/** @param {{ type: MemoryType | null }} props */
function TypeChip({ type }) {
  const count = type === null ? memories.value.length : memories.value.filter((memory) => memory.memory_type === type).length;
  return html`<button type="button" class="chip" aria-pressed=${typeWanted.value === type} onClick=${() => (typeWanted.value = type)}>
    ${type === null ? say("all") : sayOne("type", type)} <small>${count}</small>
  </button>`;
}

function List() {
  if (!loaded.value) return html`<p class="quiet">${say("loading")}</p>`;
  if (memories.value.length === 0 && editing.value !== "new") {
    return html`<div class="panel-empty"><p><strong>${say("memories_empty")}</strong></p><p>${say("memories_empty_text")}</p></div>`;
  }
  if (matching.value.length === 0) return html`<p class="quiet">${say("memories_none")}</p>`;
  return html`<ul class="memories">
    ${matching.value.map((memory) => html`<li key=${memory.id}>
      ${editing.value === memory.id ? html`<${MemoryForm} memory=${memory} />` : html`<${MemoryCard} memory=${memory} />`}
    </li>`)}
  </ul>`;
}

/** @param {{ memory: Memory }} props */
function MemoryCard({ memory }) {
  const history = histories.value.get(memory.id);
  return html`<article class=${memory.pinned ? "memory-card pinned" : "memory-card"}>
    <p class="memory-text">${memory.content}</p>
    <div class="memory-foot">
      <span class=${`badge ${memory.memory_type}`}>${sayOne("type", memory.memory_type)}</span>
      ${memory.category && html`<span class="quiet small">${memory.category}</span>`}
      <span class="memory-actions">
        <${IconButton} icon="pin" label=${say(memory.pinned ? "unpin" : "pin")} pressed=${memory.pinned}
          onClick=${() => void change(memory.id, { pinned: !memory.pinned })} />
        <${IconButton} icon="history" label=${say("history")} expanded=${history !== undefined}
          onClick=${() => void showHistory(memory.id)} />
        ${memory.source_conversation_id &&
        html`<${IconButton} icon="jump" label=${say("open_source")} onClick=${() => void showSource(memory.id, uncoverThread)} />`}
        <${IconButton} icon="edit" label=${say("edit")} onClick=${() => (editing.value = memory.id)} />
        <${IconButton} icon="trash" label=${say("forget_memory")} onClick=${() => void forget(memory)} />
      </span>
    </div>
    ${history && html`<${History} beliefs=${history} />`}
  </article>`;
}

/** @param {{ beliefs: Belief[] }} props */
function History({ beliefs }) {
  if (beliefs.length === 0) return html`<p class="quiet small">${say("none")}</p>`;
  return html`<ol class="history">
    ${beliefs.map((belief) => html`<li key=${belief.id}>
      <span>${belief.content}</span>
      <small>${say("until")} ${calendarDay(belief.believed_until, language.value)} · ${sayOne("reason", belief.reason)}</small>
    </li>`)}
  </ol>`;
}

/** @param {HTMLTextAreaElement | null} box */
function focusFirst(box) {
  box?.focus();
}

/** @param {{ memory: Memory | null }} props */
function MemoryForm({ memory }) {
  /** @param {SubmitEvent} event */
  const submitted = (event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const entered = {
      content: String(given.get("content")).trim(),
      memory_type: /** @type {MemoryType} */ (given.get("type")),
      category: String(given.get("category")).trim() || null,
    };
    if (!entered.content) return;
    void (memory === null ? add({ ...entered, pinned: false }) : change(memory.id, entered));
  };
  return html`<form class="memory-form" onSubmit=${submitted}>
    <label class="field">
      <span>${say("memory_content")}</span>
      <textarea name="content" rows="3" required ref=${focusFirst}>${memory?.content ?? ""}</textarea>
    </label>
    <div class="field-row">
      <label class="field">
        <span>${say("type")}</span>
        <select name="type">
          ${TYPES.map((type) => html`<option value=${type} selected=${type === (memory?.memory_type ?? "fact")}>${sayOne("type", type)}</option>`)}
        </select>
      </label>
      <label class="field"><span>${say("category")}</span><input name="category" maxlength="255" value=${memory?.category ?? ""} /></label>
    </div>
    <div class="form-actions">
      <button type="button" class="text-button" onClick=${() => (editing.value = null)}>${say("cancel")}</button>
      <button type="submit" class="primary-button">${say(memory === null ? "add" : "save")}</button>
    </div>
  </form>`;
}
