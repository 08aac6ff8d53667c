/** From Markdown to nodes that are safe to show; the second lock behind markdown.js. */
import DOMPurify from "dompurify";
import { toHtml } from "./markdown.js";

const ALLOWED = {
  ALLOWED_TAGS: [
    "p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em", "del", "code", "pre", "blockquote",
    "ul", "ol", "li", "a", "table", "thead", "tbody", "tr", "th", "td", "figure", "figcaption", "span", "input",
  ],
  ALLOWED_ATTR: ["href", "target", "rel", "class", "align", "start", "type", "checked", "disabled"],
  RETURN_DOM_FRAGMENT: true,
};

/**
 * @param {string} text
 * @returns {DocumentFragment}
 */
export function toNodes(text) {
  return safeNodes(toHtml(text));
}

/**
 * Makes nodes of HTML from anywhere, without what could run or ask elsewhere.
 * @param {string} html
 * @returns {DocumentFragment}
 */
export function safeNodes(html) {
  return /** @type {DocumentFragment} */ (/** @type {unknown} */ (DOMPurify.sanitize(html, ALLOWED)));
}
