/** What a query points at: marks with their confidence that jump there, and the way to say that it meant another. */
/** @import { ThreadItem } from "../types" */
import { html } from "htm/preact";
import { correct } from "../actions/looking.js";
import { jump } from "../actions/reading.js";
import { currentId } from "../state/conversations.js";
import { thread } from "../state/thread.js";
import { percent, say } from "../text/say.js";
import { Menu } from "./buttons.js";
import { Icon } from "./icons.js";

/** So many earlier turns are offered when a reference is corrected. */
const OFFERED = 8;

/** @param {{ item: ThreadItem }} props */
export function ReferenceMarks({ item }) {
  const { references = [], intent, confidence = 0 } = item.notes;
  if (references.length === 0) return null;
  return html`<div class="marks">
    ${references.map((number) => html`<${ReferenceMark} key=${number} number=${number} intent=${intent} confidence=${confidence} />`)}
    <${Correction} item=${item} />
  </div>`;
}

/** @param {{ number: number, intent: string | undefined, confidence: number }} props */
function ReferenceMark({ number, intent, confidence }) {
  const quoted = thread.value.turns.find((turn) => turn.turn_number === number)?.query?.content;
  const sure = say("sure", { percent: percent(confidence) });
  const label = `${say("jump_to", { number })}, ${sure}${quoted ? `: ${quoted}` : ""}`;
  const text = intent === "followup" ? say("follows", { number }) : say("means", { number, confidence: percent(confidence) });
  return html`<button
    type="button"
    class=${intent === "followup" ? "reference follows" : "reference"}
    aria-label=${label}
    title=${label}
    onClick=${() => void jump(number)}
  ><${Icon} name="jump" /><span>${text}</span></button>`;
}

/** @param {{ item: ThreadItem }} props */
function Correction({ item }) {
  const id = currentId.value;
  const { turnNumber } = item;
  if (id === null || turnNumber === null) return null;
  const earlier = thread.value.turns.filter((turn) => turn.turn_number < turnNumber && turn.query !== null).slice(-OFFERED);
  return html`<${Menu} icon="edit" label=${say("correct_it")} class="correction">
    <p class="quiet small">${say("meant_which")}</p>
    ${earlier.map(
      (turn) => html`<button
        type="button"
        key=${turn.turn_number}
        data-chooses
        aria-current=${item.notes.references?.includes(turn.turn_number) ? "true" : undefined}
        onClick=${() => void correct(id, turnNumber, [turn.turn_number])}
      ><span class="choice-number">${turn.turn_number}</span><span class="one-line">${turn.query?.content}</span></button>`,
    )}
    <button type="button" data-chooses onClick=${() => void correct(id, turnNumber, [])}>
      <${Icon} name="close" /><span>${say("correct_none")}</span>
    </button>
  </${Menu}>`;
}
