import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_HELD, NOTHING, isRunning, joined, saveKey, shown, turnOf, withTurn, withUnsaved } from "../../../src/gunita/server/page/state/thread.js";

const said = (content) => ({ id: content, content, created_at: "2026-01-05T09:30:00Z" });
const turn = (number, answered = true) => ({
  turn_number: number,
  query: said(`q${number}`),
  response: answered ? said(`r${number}`) : null,
  metadata: {},
});
const turns = (from, to) => Array.from({ length: to - from + 1 }, (_, place) => turn(from + place));
const answer = (more) => ({
  conversationId: "c", requestId: "x", query: "q3", choice: null, askedAt: "2026-01-05T09:31:00Z", turnNumber: null,
  text: "", intent: null, confidence: null, lastEvent: 0, phase: "sending", problem: null, ...more,
});

test("an answer that has no number yet stands at the end", () => {
  const items = shown({ turns: turns(1, 2), hasLater: false }, answer());
  assert.deepEqual(items.map((item) => item.key), ["turn-1", "turn-2", "request-x"]);
});

test("an answer lies over its own turn once that is stored", () => {
  const items = shown({ turns: [turn(1), turn(2, false)], hasLater: false }, answer({ turnNumber: 2, text: "so far" }));
  assert.equal(items.length, 2);
  assert.equal(items[1].answer.text, "so far");
  assert.equal(items[0].answer, null);
});

test("an answer with a number that is not stored yet has its turn's key, so that it stays in its place", () => {
  const items = shown({ turns: turns(1, 2), hasLater: false }, answer({ turnNumber: 3 }));
  assert.equal(items[2].key, "turn-3");
});

test("somebody who reads far back does not see the answer there", () => {
  assert.equal(shown({ turns: turns(1, 20), hasLater: true }, answer()).length, 20);
});

test("a finished turn takes the place of its open one, and comes once", () => {
  const open = { ...NOTHING, id: "c", turns: [turn(1), turn(2, false)] };
  const done = withTurn(open, turn(2));
  assert.equal(done.turns.length, 2);
  assert.equal(done.turns[1].response.content, "r2");
  assert.equal(withTurn(done, turn(2)).turns.length, 2);
});

test("a finished turn is not put behind a gap", () => {
  const back = { ...NOTHING, id: "c", turns: turns(1, 20), hasLater: true };
  assert.equal(withTurn(back, turn(500)), back);
});

test("going back and forth through a long history holds a bounded stretch without gaps or repeats", () => {
  const LAST = 5000;
  const page = (from, to) => ({ items: turns(from, to), has_earlier: from > 1, has_later: to < LAST });
  let held = { ...NOTHING, id: "c", turns: turns(LAST - 19, LAST), hasEarlier: true };
  const check = () => {
    const numbers = held.turns.map((found) => found.turn_number);
    assert.ok(numbers.length <= MOST_HELD);
    assert.deepEqual(numbers, Array.from(numbers, (_, place) => numbers[0] + place));
    assert.equal(held.hasEarlier, numbers[0] > 1);
    assert.equal(held.hasLater, numbers.at(-1) < LAST);
  };
  while (held.hasEarlier) {
    const first = held.turns[0].turn_number;
    held = joined(held, page(Math.max(1, first - 20), first - 1), "start");
    check();
  }
  while (held.hasLater) {
    const last = held.turns.at(-1).turn_number;
    held = joined(held, page(last + 1, Math.min(LAST, last + 20)), "end");
    check();
  }
});

test("a reply becomes a turn with how it was understood", () => {
  const reply = { turn_number: 3, message: "m", intent: "reference", confidence: 0.9, metadata: { references: [1] } };
  const made = turnOf(reply, answer(), "2026-01-05T09:32:00Z");
  assert.deepEqual(made.metadata, { references: [1], intent: "reference", confidence: 0.9 });
  assert.equal(made.query.content, "q3");
});

test("what failed or was lost is not on its way any more", () => {
  assert.equal(isRunning(null), false);
  assert.equal(isRunning(answer({ phase: "failed" })), false);
  assert.equal(isRunning(answer({ phase: "lost" })), false);
  assert.equal(isRunning(answer({ phase: "reconnecting" })), true);
});

test("an answer that could not be kept stays over its turn until the service has one", () => {
  const known = new Map([[saveKey("c", 2), { state: "unsaved", turn: turn(2) }]]);
  const seen = (turns, id = "c") => withUnsaved(id, turns, known).map((one) => one.response?.content ?? null);
  assert.deepEqual(seen([turn(1), turn(2, false), turn(3, false)]), ["r1", "r2", null]);
  assert.deepEqual(seen([turn(2, false)], "another"), [null]);
  assert.deepEqual(seen([{ ...turn(2), response: said("stored") }]), ["stored"]);
});
