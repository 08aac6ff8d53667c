import assert from "node:assert/strict";
import { test } from "node:test";
import { escaped, toHtml } from "../../../src/gunita/server/page/markdown.js";

test("raw HTML is shown as the text it is", () => {
  const made = toHtml("before <script>alert(1)</script> <img src=x onerror=alert(1)> after");
  assert.doesNotMatch(made, /<script|<img/);
  assert.match(made, /&lt;script&gt;/);
});

test("a block of HTML is text too", () => {
  assert.doesNotMatch(toHtml("<div onclick=alert(1)>\nhello\n</div>"), /<div/);
});

test("links lead to the web, to mail and into the page, and nowhere else", () => {
  assert.match(toHtml("[a](https://example.org/x?y=1&z=2)"), /href="https:\/\/example.org\/x\?y=1&amp;z=2"/);
  assert.match(toHtml("[a](mailto:juan@example.org)"), /href="mailto:/);
  for (const address of ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "vbscript:x", "//evil.example"]) {
    assert.doesNotMatch(toHtml(`[a](${address})`), /href/, address);
  }
});

test("a link opens elsewhere and tells nobody where it was", () => {
  assert.match(toHtml("[a](https://example.org)"), /target="_blank" rel="noopener noreferrer nofollow"/);
});

test("an image becomes a link, so that showing a message asks nobody", () => {
  const made = toHtml("![a cat](https://example.org/cat.png)");
  assert.doesNotMatch(made, /<img/);
  assert.match(made, /<a href="https:\/\/example.org\/cat.png"[^>]*>a cat<\/a>/);
});

test("code keeps its characters and says its language", () => {
  const made = toHtml('```html\n<b>"x" & \'y\'</b>\n```');
  assert.match(made, /<figcaption><span>html<\/span>/);
  assert.match(made, /&lt;b&gt;&quot;x&quot; &amp; &#39;y&#39;&lt;\/b&gt;/);
});

test("a language that is no name is left out", () => {
  assert.match(toHtml('```"><script>\nx\n```'), /<span><\/span>/);
});

test("tables, lists, emphasis and line breaks are there", () => {
  assert.match(toHtml("| a | b |\n| --- | --- |\n| 1 | 2 |"), /<table>/);
  assert.match(toHtml("- one\n- two"), /<ul>/);
  assert.match(toHtml("**bold** and *soft*"), /<strong>bold<\/strong> and <em>soft<\/em>/);
  assert.match(toHtml("one\ntwo"), /one<br>two/);
});

test("an unfinished stretch of Markdown, as it streams, is shown as far as it goes", () => {
  assert.match(toHtml("```python\nprint(1"), /print\(1/);
  assert.match(toHtml("some **bol"), /some \*\*bol/);
});

test("escaping leaves nothing that could end a text or an attribute", () => {
  assert.equal(escaped(`<>&"'`), "&lt;&gt;&amp;&quot;&#39;");
});
