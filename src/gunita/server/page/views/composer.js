/** Where one writes: Enter sends, Shift and Enter makes a new line. */
import { html } from "htm/preact";
import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { ask, stop } from "../actions/conversing.js";
import { toNewest } from "../actions/reading.js";
import { currentId } from "../state/conversations.js";
import { answer, busy } from "../state/thread.js";
import { say } from "../text/say.js";
import { Icon } from "./icons.js";
import { onPhone } from "./widths.js";

export const draft = signal("");

/** @param {string} text */
export function write(text) {
  draft.value = text;
  document.getElementById("composer")?.focus();
}

export function Composer() {
  const box = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  useLayoutEffect(() => {
    const area = box.current;
    if (!area) return;
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight, 220)}px`;
  }, [draft.value]);
  return html`<form class="composer" onSubmit=${submitted}>
    <div class="composer-box">
      <textarea
        id="composer"
        rows="1"
        ref=${box}
        aria-label=${say("message")}
        placeholder=${say(onPhone() ? "message_hint_short" : "message_hint")}
        value=${draft.value}
        onInput=${(/** @type {Event} */ event) => (draft.value = /** @type {HTMLTextAreaElement} */ (event.target).value)}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => {
          if (event.key === "Enter" && !event.shiftKey && !event.isComposing) submitted(event);
        }}
      ></textarea>
      ${busy.value ? html`<${StopButton} />` : html`<${SendButton} />`}
    </div>
  </form>`;
}

/** @param {Event} event */
async function submitted(event) {
  event.preventDefault();
  const text = draft.value;
  if (!text.trim() || busy.value) return;
  draft.value = "";
  await toNewest();
  await ask(text);
}

function SendButton() {
  return html`<button
    type="submit" class="round-button" aria-label=${say("send")} title=${say("send")} disabled=${!draft.value.trim()}
  ><${Icon} name="send" /></button>`;
}

function StopButton() {
  const stopping = answer.value?.phase === "stopping";
  const label = say(stopping ? "stopping" : "stop");
  const stopIt = () => currentId.value !== null && void stop(currentId.value);
  return html`<button
    type="button" class="round-button stop" aria-label=${label} title=${label} disabled=${stopping} onClick=${stopIt}
  ><${Icon} name="stop" /></button>`;
}
