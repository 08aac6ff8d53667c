import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { english } from "../../../src/gunita/server/page/text/en.js";
import { filipino } from "../../../src/gunita/server/page/text/fil.js";
import { filled, percent, sayOne } from "../../../src/gunita/server/page/text/say.js";

const PAGE = new URL("../../../src/gunita/server/page/", import.meta.url);
const sources = ["views/", "actions/"].flatMap((folder) =>
  readdirSync(new URL(folder, PAGE)).map((name) => readFileSync(new URL(folder + name, PAGE), "utf8")),
);

const SAME = [
  "example_ask_text", "example_topic_text", "export_json", "export_markdown", "in_minutes", "keyboard", "menu",
  "short_minutes", "speaks_assistant",
];

const holes = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]).sort();

test("both languages say the same things, with the same holes to fill", () => {
  assert.deepEqual(Object.keys(filipino).sort(), Object.keys(english).sort());
  for (const [name, text] of Object.entries(english)) assert.deepEqual(holes(filipino[name]), holes(text), name);
});

test("nothing is left in English but names and what both languages call the same", () => {
  const same = Object.keys(english).filter((name) => english[name] === filipino[name]);
  assert.deepEqual(same.sort(), SAME);
});

test("everything that is said has words, and every word is said somewhere", () => {
  const everything = sources.join("\n");
  for (const [, name] of everything.matchAll(/\bsay\(\s*"(\w+)"/g)) assert.ok(name in english, name);
  const composed = /^(in|short|kind|type|intent|reason|fate|example|key)_/;
  const unsaid = Object.keys(english).filter((name) => !composed.test(name) && !everything.includes(`"${name}"`));
  const bySignal = ["today", "yesterday", "earlier", "pinned", "degraded", "unreachable", "unkept"];
  assert.deepEqual(unsaid.filter((name) => !bySignal.includes(name)), []);
});

test("a hole nobody fills stays visible", () => {
  assert.equal(filled("turn {number} of {all}", { number: 3 }), "turn 3 of {all}");
});

test("what has no words is said as it came", () => {
  assert.equal(sayOne("kind", "ordinal"), "by order");
  assert.equal(sayOne("kind", "something_new"), "something_new");
});

test("confidence is told in whole percents", () => {
  assert.equal(percent(0.974), "97%");
});
