/** One turn: what was asked, what it points at, and the answer. */
/** @import { Answer, Choice, ThreadItem } from "../types" */
import { html } from "htm/preact";
import { ask, askAgain, saveAgain, sendAgain } from "../actions/conversing.js";
import { showReceipt } from "../actions/looking.js";
import { currentId } from "../state/conversations.js";
import { drawer } from "../state/shell.js";
import { language } from "../state/settings.js";
import { busy, highlighted, saveKey, saves } from "../state/thread.js";
import { say } from "../text/say.js";
import { clock } from "../times.js";
import { IconButton } from "./buttons.js";
import { copy } from "./copying.js";
import { Markdown } from "./markdown.js";
import { memo } from "./memo.js";
import { ReferenceMarks } from "./references.js";

/** @param {{ item: ThreadItem, newest: boolean }} props */
function Turn({ item, newest }) {
  const { turnNumber, answer } = item;
  const name = turnNumber === null ? say("message") : say("turn", { number: turnNumber });
  return html`<article
    class=${highlighted.value === turnNumber && turnNumber !== null ? "turn lit" : "turn"}
    data-key=${item.key}
    data-turn=${turnNumber}
    tabindex="-1"
    aria-label=${name}
  >
    <div class="knot" aria-hidden="true">${turnNumber ?? "·"}</div>
    ${item.query !== null &&
    html`<div class="query">
      <span class="unseen">${say("speaks_user")}</span>
      <p class="bubble">${item.query}</p>
      ${turnNumber !== null && item.response !== null && html`<${ReferenceMarks} item=${item} />`}
    </div>`}
    ${item.response !== null
      ? html`<${Response} item=${item} newest=${newest} />`
      : html`<${OnItsWay} item=${item} answer=${answer} />`}
  </article>`;
}

export const TurnView = memo(Turn);

/** @param {{ item: ThreadItem, newest: boolean }} props */
function Response({ item, newest }) {
  const asks = item.notes.intent === "clarification";
  const choices = asks && newest && !busy.value ? (item.notes.choices ?? []) : [];
  const text = choices.length > 0 ? withoutList(item.response ?? "") : (item.response ?? "");
  return html`<div class=${asks ? "response asks" : "response"}>
    <span class="unseen">${say("speaks_assistant")}</span>
    <${Markdown} text=${text} />
    ${choices.length > 0 && html`<${Choices} choices=${choices} />`}
    <${Warnings} item=${item} />
    <${ResponseFoot} item=${item} newest=${newest} />
  </div>`;
}

/**
 * Gives a question without the list that the choices below it show.
 * @param {string} question
 */
function withoutList(question) {
  return question.split("\n").filter((line) => !/^\s*\d+\. /.test(line)).join("\n");
}

/** @param {{ item: ThreadItem, newest: boolean }} props */
function ResponseFoot({ item, newest }) {
  const id = currentId.value;
  const number = item.turnNumber;
  const inspected =
    drawer.value?.kind === "receipt" && drawer.value.turnNumber === number && drawer.value.conversationId === id;
  return html`<div class="response-foot">
    ${item.answeredAt && html`<time datetime=${item.answeredAt}>${clock(item.answeredAt, language.value)}</time>`}
    ${item.notes.interrupted && html`<span class="tag">${say("interrupted")}</span>`}
    <${IconButton} icon="copy" label=${say("copy")} onClick=${() => void copy(item.response ?? "")} />
    ${id !== null && number !== null && item.notes.receipt_id &&
    html`<${IconButton}
      icon="layers"
      label=${say("context_of", { number })}
      expanded=${inspected}
      onClick=${() => (inspected ? (drawer.value = null) : void showReceipt(id, number))}
    />`}
    ${newest && id !== null && item.query !== null && !busy.value && item.notes.intent !== "clarification" &&
    html`<${IconButton} icon="retry" label=${say("again")} onClick=${() => void askAgain(id, item.query ?? "")} />`}
  </div>`;
}

/** @param {{ choices: Choice[] }} props */
function Choices({ choices }) {
  return html`<div class="choices" role="group" aria-label=${say("choices")}>
    ${choices.map(
      (choice) => html`<button type="button" key=${choice.turn_number} onClick=${() => void ask(choice.label, choice.turn_number)}>
        <span class="choice-number">${choice.turn_number}</span><span>${choice.label}</span>
      </button>`,
    )}
  </div>`;
}

/** @param {{ item: ThreadItem }} props */
function Warnings({ item }) {
  const id = currentId.value;
  const warnings = item.notes.warnings ?? [];
  const save = id !== null && item.turnNumber !== null ? saves.value.get(saveKey(id, item.turnNumber)) : undefined;
  const isUnsaved = save !== undefined && save.state !== "saved";
  return html`
    ${save?.state !== "saved" && warnings.map((warning) => html`<p class="warning">${warning}</p>`)}
    ${isUnsaved && id !== null &&
    html`<p class="problem" role="alert">
      <span>${say(save.state === "saving" ? "saving" : "not_saved")}</span>
      <button type="button" disabled=${save.state === "saving"} onClick=${() => void saveAgain(id, save.turn)}>
        ${say("save_again")}
      </button>
    </p>`}
  `;
}

/** @param {{ item: ThreadItem, answer: Answer | null }} props */
function OnItsWay({ item, answer }) {
  if (answer === null) return html`<${Unanswered} item=${item} />`;
  if (answer.phase === "failed") {
    return html`<p class="problem" role="alert">
      <span><strong>${say("not_sent")}</strong> ${answer.problem ?? say("not_sent_more")}</span>
      <button type="button" onClick=${() => void sendAgain(answer)}>${say("retry")}</button>
    </p>`;
  }
  if (answer.phase === "lost") return html`<${Unanswered} item=${item} />`;
  return html`<div class="response speaking" aria-busy="true">
    ${answer.text ? html`<${Markdown} text=${answer.text} />` : html`<${Thinking} />`}
    ${answer.phase === "reconnecting" && html`<p class="warning" role="status">${say("reconnecting")}</p>`}
  </div>`;
}

/** @param {{ item: ThreadItem }} props */
function Unanswered({ item }) {
  const id = currentId.value;
  return html`<p class="problem" role="alert">
    <span><strong>${say("answer_lost")}</strong> ${say("answer_lost_more")}</span>
    ${id !== null && item.query !== null &&
    html`<button type="button" onClick=${() => void askAgain(id, item.query ?? "")}>${say("again")}</button>`}
  </p>`;
}

function Thinking() {
  return html`<div class="thinking" role="status"><i></i><i></i><i></i><span class="unseen">${say("thinking")}</span></div>`;
}
