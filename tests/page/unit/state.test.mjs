import assert from "node:assert/strict";
import { test } from "node:test";
import { address } from "../../../src/gunita/server/page/api.js";
import { newId } from "../../../src/gunita/server/page/ids.js";
import { fileName } from "../../../src/gunita/server/page/actions/listing.js";
import { merged, neighbour, withMember } from "../../../src/gunita/server/page/state/conversations.js";
import { shares } from "../../../src/gunita/server/page/state/looking.js";
import { arranged } from "../../../src/gunita/server/page/state/memories.js";
import { languageOf } from "../../../src/gunita/server/page/state/settings.js";
import { hashOf, routeOf } from "../../../src/gunita/server/page/state/shell.js";
import { dayGroup, grouped, hoursLeft, largestUnit } from "../../../src/gunita/server/page/times.js";
import { commandOf } from "../../../src/gunita/server/page/views/keys.js";
import { roundedUp } from "../../../src/gunita/server/page/views/plots.js";

const NOW = new Date(2026, 0, 5, 9, 30);
const at = (day, hour) => new Date(2026, 0, day, hour).toISOString();
const conversation = (id, updated_at, more = {}) => ({ id, title: id, updated_at, pinned: false, archived: false, ...more });

test("days are told by the calendar, not by the hours between", () => {
  assert.equal(dayGroup(at(5, 0), NOW), "today");
  assert.equal(dayGroup(at(4, 23), NOW), "yesterday");
  assert.equal(dayGroup(at(3, 23), NOW), "earlier");
});

test("conversations stand in groups, pinned ones first, and no group is empty", () => {
  const groups = grouped([conversation("a", at(5, 8)), conversation("b", at(4, 8)), conversation("p", at(1, 8), { pinned: true })], NOW);
  assert.deepEqual(groups.map((group) => [group.name, group.members.map((member) => member.id)]), [
    ["pinned", ["p"]], ["today", ["a"]], ["yesterday", ["b"]],
  ]);
});

test("what is pinned is not forgotten; the rest has a number of hours", () => {
  assert.equal(hoursLeft({ pinned: true, updated_at: at(1, 8) }, 24, NOW), null);
  assert.equal(hoursLeft({ pinned: false, updated_at: at(5, 8) }, 24, NOW), 22.5);
  assert.equal(hoursLeft({ pinned: false, updated_at: at(1, 8) }, 24, NOW), 0);
  assert.deepEqual(largestUnit(720), { unit: "days", count: 30 });
  assert.deepEqual(largestUnit(0.5), { unit: "minutes", count: 30 });
});

test("newer knowledge about a conversation takes the place of older, by recency", () => {
  const found = merged([conversation("a", at(1, 1)), conversation("b", at(2, 1))], [conversation("a", at(3, 1))]);
  assert.deepEqual(found.map((one) => one.id), ["a", "b"]);
});

test("the next conversation stays inside the list", () => {
  assert.equal(neighbour(["a", "b"], "a", 1), "b");
  assert.equal(neighbour(["a", "b"], "b", 1), "b");
  assert.equal(neighbour(["a", "b"], null, -1), "b");
  assert.equal(neighbour([], "a", 1), null);
});

test("a set changes by becoming another set", () => {
  const before = new Set(["a"]);
  assert.deepEqual([...withMember(before, "b", true)], ["a", "b"]);
  assert.deepEqual([...withMember(before, "a", false)], []);
  assert.deepEqual([...before], ["a"]);
});

test("an address tells where the page is, and back", () => {
  const id = newId();
  assert.deepEqual(routeOf(hashOf(id, 7)), { view: "conversation", id, turn: 7 });
  assert.deepEqual(routeOf(hashOf(id)), { view: "conversation", id, turn: null });
  assert.deepEqual(routeOf("#/insights"), { view: "insights" });
  assert.deepEqual(routeOf("#/c/nonsense"), { view: "conversation", id: null, turn: null });
});

test("ids are version 7 and ordered by time", () => {
  const made = [1, 2, 3].map((second) => newId(1_767_600_000_000 + second * 1000));
  for (const id of made) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.deepEqual(made, [...made].sort());
});

test("what is empty is not asked for", () => {
  assert.equal(address("/api/x", { q: "yung una", type: null, text: "", limit: 5 }), "/api/x?q=yung+una&limit=5");
});

test("memories are chosen by type, category and words, pinned ones first", () => {
  const memory = (id, more) => ({ id, content: id, memory_type: "fact", category: null, pinned: false, created_at: at(1, 1), ...more });
  const all = [memory("Lives in Davao", {}), memory("Likes mangga", { memory_type: "preference", category: "food" }), memory("Works in Cebu", { pinned: true })];
  assert.deepEqual(arranged(all, null, null, "").map((one) => one.id), ["Works in Cebu", "Lives in Davao", "Likes mangga"]);
  assert.deepEqual(arranged(all, "preference", null, "").map((one) => one.id), ["Likes mangga"]);
  assert.deepEqual(arranged(all, null, "food", "MANG").map((one) => one.id), ["Likes mangga"]);
  assert.deepEqual(arranged(all, null, null, "in davao").map((one) => one.id), ["Lives in Davao"]);
});

test("the parts of a budget fill it", () => {
  const parts = shares({
    context_tokens: 1000, reserve_tokens: 100, framing_tokens: 20, prompt_tokens: 300,
    tokens_by_kind: { window_turn: 200, query: 80, memory: 0 }, lines: [],
  });
  assert.deepEqual(parts.map((part) => part.kind), ["window_turn", "query", "framing", "reserve", "free"]);
  assert.equal(parts.reduce((sum, part) => sum + part.tokens, 0), 1000);
});

test("the browser's language is taken unless one is chosen", () => {
  assert.equal(languageOf("auto", ["fil-PH"]), "fil");
  assert.equal(languageOf("auto", ["tl"]), "fil");
  assert.equal(languageOf("auto", ["en-US"]), "en");
  assert.equal(languageOf("auto", []), "en");
  assert.equal(languageOf("en", ["fil"]), "en");
});

test("a plain key is a command only while nobody writes", () => {
  const key = (name, more = {}) => ({ key: name, code: "", altKey: false, ctrlKey: false, metaKey: false, ...more });
  assert.equal(commandOf(key("?"), false), "help");
  assert.equal(commandOf(key("?"), true), null);
  assert.equal(commandOf(key("k", { ctrlKey: true }), true), "search");
  assert.equal(commandOf(key("˜", { altKey: true, code: "KeyN" }), true), "new");
  assert.equal(commandOf(key("ArrowDown", { altKey: true, code: "ArrowDown" }), true), "next");
  assert.equal(commandOf(key("Escape"), true), "close");
});

test("a plot's scale ends at a round number", () => {
  assert.deepEqual([0, 3, 7, 11, 12, 21, 480].map(roundedUp), [1, 3, 8, 12, 12, 30, 500]);
});

test("a file is named after its conversation, whatever that is called", () => {
  assert.equal(fileName("Biyahe sa Davao: ano'ng dala?"), "Biyahe-sa-Davao-ano-ng-dala");
  assert.equal(fileName("../../etc"), "etc");
  assert.equal(fileName(null), "conversation");
});
