/** The context inspector: what stood before the model for one answer, what was left out, and why. */
/** @import { Receipt, ReceiptLine } from "../types" */
import { html } from "htm/preact";
import { useEffect } from "preact/hooks";
import { goTo, jump } from "../actions/reading.js";
import { loadMemories } from "../actions/remembering.js";
import { currentId } from "../state/conversations.js";
import { KINDS, receipt, receiptState, shares } from "../state/looking.js";
import { loaded, memories } from "../state/memories.js";
import { drawer } from "../state/shell.js";
import { thread } from "../state/thread.js";
import { percent, say, sayOne } from "../text/say.js";
import { Icon } from "./icons.js";
import { Panel } from "./panel.js";
import { uncoverThread } from "./widths.js";

export function ReceiptPanel() {
  useEffect(() => void (loaded.value || loadMemories()), []);
  const number = drawer.value?.kind === "receipt" ? drawer.value.turnNumber : 0;
  return html`<${Panel} title=${say("context_of", { number })}>
    ${receiptState.value === "loading" && html`<p class="quiet">${say("loading")}</p>`}
    ${receiptState.value === "absent" && html`<p class="quiet">${say("receipt_absent")}</p>`}
    ${receiptState.value === "failed" && html`<p class="problem">${say("unreachable")}</p>`}
    ${receipt.value && html`<${Whole} found=${receipt.value} />`}
  </${Panel}>`;
}

/** @param {{ found: Receipt }} props */
function Whole({ found }) {
  const { body } = found;
  const inside = body.lines.filter((line) => line.fate !== "left_out");
  const outside = body.lines.filter((line) => line.fate === "left_out");
  return html`
    <p class="quiet">${say("context_intro")}</p>
    <${Bar} body=${body} />
    ${KINDS.map((kind) => html`<${Section} key=${kind} title=${sayOne("kind", kind)} kind=${kind}
      lines=${inside.filter((line) => line.kind === kind)} found=${found} />`)}
    <${Section} title=${say("left_out")} kind="left_out" lines=${outside} found=${found} />
  `;
}

/** @param {{ body: Receipt["body"] }} props */
function Bar({ body }) {
  const parts = shares(body);
  const used = body.prompt_tokens.toLocaleString();
  const all = body.context_tokens.toLocaleString();
  return html`<div class="budget">
    <p class="budget-total"><strong>${say("tokens_of", { used, all })}</strong></p>
    <div class="bar" role="img" aria-label=${parts.map((part) => `${sayOne("kind", part.kind)} ${part.tokens}`).join(", ")}>
      ${parts.map((part) => html`<span
        key=${part.kind}
        class=${`part ${part.kind}`}
        style=${{ flexGrow: Math.max(part.share, 0.002) }}
        title=${`${sayOne("kind", part.kind)}: ${part.tokens.toLocaleString()} ${say("tokens")} (${percent(part.share)})`}
      ></span>`)}
    </div>
    <ul class="legend">
      ${parts.filter((part) => part.tokens > 0).map((part) => html`<li key=${part.kind}>
        <i class=${`part ${part.kind}`}></i><span>${sayOne("kind", part.kind)}</span><b>${part.tokens.toLocaleString()}</b>
      </li>`)}
    </ul>
  </div>`;
}

/** @param {{ title: string, kind: string, lines: ReceiptLine[], found: Receipt }} props */
function Section({ title, kind, lines, found }) {
  if (lines.length === 0) return null;
  return html`<section class="receipt-section">
    <h3><i class=${`part ${kind}`}></i>${title} <small>${lines.length}</small></h3>
    <ul>${lines.map((line) => html`<${Line} key=${line.kind + line.source} line=${line} found=${found} />`)}</ul>
  </section>`;
}

/** @param {{ line: ReceiptLine, found: Receipt }} props */
function Line({ line, found }) {
  const tokens = line.fate === "left_out" ? line.whole_tokens : line.tokens;
  const name = line.turn_number === null ? textOf(line) : html`<${TurnLine} line=${line} found=${found} />`;
  return html`<li class=${`receipt-line ${line.fate}`}>
    <div class="receipt-name">${name}</div>
    <div class="receipt-why">
      <span>${line.fate === "kept" ? "" : `${sayOne("fate", line.fate)} · `}${line.reason}</span>
      <span>${tokens.toLocaleString()}</span>
    </div>
  </li>`;
}

/** @param {{ line: ReceiptLine, found: Receipt }} props */
function TurnLine({ line, found }) {
  const number = /** @type {number} */ (line.turn_number);
  const elsewhere = conversationOf(line.source, found.conversation_id);
  const turn = elsewhere === currentId.value ? thread.value.turns.find((known) => known.turn_number === number) : undefined;
  const go = () => {
    uncoverThread();
    if (elsewhere === currentId.value) void jump(number);
    else if (elsewhere) goTo(elsewhere, number);
  };
  return html`<button type="button" class="receipt-turn" onClick=${go}>
    <span class="choice-number">${number}</span>
    <span class="one-line">${turn?.query?.content ?? say("jump_to", { number })}</span>
    <${Icon} name="jump" />
  </button>`;
}

/**
 * @param {string} source
 * @param {string | null} otherwise
 */
function conversationOf(source, otherwise) {
  return /[0-9a-f]{8}-[0-9a-f-]{27}/i.exec(source)?.[0] ?? otherwise;
}

/** @param {ReceiptLine} line */
function textOf(line) {
  const known = memories.value.find((memory) => memory.id === line.source);
  return known ? known.content : sayOne("kind", line.kind);
}
