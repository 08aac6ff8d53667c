/** Markdown on the page: made of safe nodes, with a button on every block of code. */
import { html } from "htm/preact";
import { memo } from "./memo.js";
import { useLayoutEffect, useRef } from "preact/hooks";
import { toNodes } from "../sanitise.js";
import { say } from "../text/say.js";
import { copy } from "./copying.js";

/** @param {{ text: string }} props */
function MarkdownView({ text }) {
  const place = useRef(/** @type {HTMLDivElement | null} */ (null));
  useLayoutEffect(() => {
    const nodes = toNodes(text);
    for (const caption of nodes.querySelectorAll("figure.code figcaption")) caption.append(copyButton());
    for (const table of nodes.querySelectorAll("table")) table.replaceWith(scrollable(table));
    place.current?.replaceChildren(nodes);
  }, [text]);
  return html`<div class="prose" ref=${place} onClick=${copyCode}></div>`;
}

export const Markdown = memo(MarkdownView);

function copyButton() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy-code";
  button.textContent = say("copy");
  button.setAttribute("aria-label", say("copy_code"));
  return button;
}

/** @param {Element} table */
function scrollable(table) {
  const frame = document.createElement("div");
  frame.className = "table-frame";
  frame.tabIndex = 0;
  frame.append(table.cloneNode(true));
  return frame;
}

/** @param {MouseEvent} event */
function copyCode(event) {
  const button = /** @type {Element} */ (event.target).closest(".copy-code");
  const code = button?.closest("figure")?.querySelector("code")?.textContent;
  if (code) void copy(code);
}
