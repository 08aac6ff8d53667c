/** Before the first word: what can be said here, in three examples. */
import { html } from "htm/preact";
import { say } from "../text/say.js";
import { write } from "./composer.js";
import { Mark } from "./icons.js";

/** @type {("ask" | "order" | "topic")[]} */
const EXAMPLES = ["ask", "order", "topic"];

export function Empty() {
  return html`<div class="empty">
    <${Mark} />
    <h1>${say("empty_title")}</h1>
    <p>${say("empty_text")}</p>
    <ol class="examples">
      ${EXAMPLES.map(
        (name) => html`<li key=${name}>
          <button type="button" onClick=${() => write(say(`example_${name}_text`))}>
            <span class="example-name">${say(`example_${name}`)}</span>
            <span class="example-text">“${say(`example_${name}_text`)}”</span>
            <span class="example-more">${say(`example_${name}_more`)}</span>
          </button>
        </li>`,
      )}
    </ol>
  </div>`;
}
