/** Markdown to HTML. What a model writes is a stranger's text: raw HTML is shown as text, images become links. */
import { Marked } from "marked";

const SAFE_ADDRESS = /^(https?:|mailto:|#|\/(?!\/))/i;

const renderer = {
  /** @param {{ text: string }} token */
  html({ text }) {
    return escaped(text);
  },
  /** @param {{ href: string, title?: string | null, text: string }} token */
  image({ href, text }) {
    return link(href, escaped(text || href));
  },
  /**
   * @this {any}
   * @param {{ href: string, tokens: any[] }} token
   */
  link(token) {
    return link(token.href, this.parser.parseInline(token.tokens));
  },
  /** @param {{ text: string, lang?: string }} token */
  code({ text, lang }) {
    const language = (lang ?? "").match(/^[\w+#.-]+/)?.[0] ?? "";
    return (
      `<figure class="code"><figcaption><span>${escaped(language)}</span></figcaption>` +
      `<pre><code>${escaped(text)}\n</code></pre></figure>`
    );
  },
};

const marked = new Marked({ gfm: true, breaks: true, async: false, renderer });

/**
 * @param {string} text
 * @returns {string}
 */
export function toHtml(text) {
  return /** @type {string} */ (marked.parse(text));
}

/** @param {string} text */
export function escaped(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/**
 * @param {string} href
 * @param {string} inner
 */
function link(href, inner) {
  if (!SAFE_ADDRESS.test(href)) return inner;
  return `<a href="${escaped(href)}" target="_blank" rel="noopener noreferrer nofollow">${inner}</a>`;
}
