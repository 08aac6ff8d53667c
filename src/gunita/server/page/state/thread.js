/** The conversation that is open: a stretch of its turns, and the answers on their way. */
/** @import { Answer, ChatReply, Save, ShownTurn, ThreadItem, TranscriptPage } from "../types" */
import { computed, signal } from "@preact/signals";
import { currentId } from "./conversations.js";

export const PAGE = 20;
/** So many turns stand in the page at most; more are fetched as somebody scrolls, and others let go. */
export const MOST_HELD = 60;

/**
 * @typedef {{ id: string | null, turns: ShownTurn[], hasEarlier: boolean, hasLater: boolean,
 *   state: "loading" | "ready" | "gone" | "failed" }} Thread
 */

/** @type {Thread} */
export const NOTHING = { id: null, turns: [], hasEarlier: false, hasLater: false, state: "ready" };

export const thread = signal(NOTHING);
/** Answers by conversation: one at a time each. */
export const answers = signal(/** @type {ReadonlyMap<string, Answer>} */ (new Map()));
export const highlighted = signal(/** @type {number | null} */ (null));
/** How often somebody jumped to a turn: also the second time to the same one, they arrive. */
export const jumps = signal(0);
/** How often something was sent from here: whoever sends sees what they sent. */
export const sent = signal(0);
/** Answers that the service could not keep, by conversation and turn. */
export const saves = signal(/** @type {ReadonlyMap<string, Save>} */ (new Map()));

export const answer = computed(() => (currentId.value === null ? null : (answers.value.get(currentId.value) ?? null)));
export const items = computed(() => shown(thread.value, answer.value));
export const busy = computed(() => isRunning(answer.value));

/** @param {Answer | null} running */
export function isRunning(running) {
  return running !== null && running.phase !== "failed" && running.phase !== "lost";
}

/**
 * Lays an answer on its way over the turns that are stored.
 * @param {Pick<Thread, "turns" | "hasLater">} held
 * @param {Answer | null} running
 * @returns {ThreadItem[]}
 */
export function shown(held, running) {
  const stored = held.turns.map((turn) => itemOf(turn, turn.turn_number === running?.turnNumber ? running : null));
  if (running === null || held.hasLater) return stored;
  const isStored = running.turnNumber !== null && held.turns.some((turn) => turn.turn_number === running.turnNumber);
  return isStored ? stored : [...stored, pendingItem(running)];
}

/** @type {WeakMap<ShownTurn, ThreadItem>} */
const known = new WeakMap();

/**
 * Gives the same item for the same turn, so that what has not changed is not drawn anew.
 * @param {ShownTurn} turn
 * @param {Answer | null} running
 * @returns {ThreadItem}
 */
function itemOf(turn, running) {
  if (turn.response === null && running !== null) return newItem(turn, running);
  const item = known.get(turn) ?? newItem(turn, null);
  known.set(turn, item);
  return item;
}

/**
 * @param {ShownTurn} turn
 * @param {Answer | null} running
 * @returns {ThreadItem}
 */
function newItem(turn, running) {
  return {
    key: `turn-${turn.turn_number}`,
    turnNumber: turn.turn_number,
    query: turn.query?.content ?? null,
    askedAt: turn.query?.created_at ?? turn.response?.created_at ?? null,
    response: turn.response?.content ?? null,
    answeredAt: turn.response?.created_at ?? null,
    notes: turn.metadata,
    answer: running,
  };
}

/**
 * @param {Answer} running
 * @returns {ThreadItem}
 */
function pendingItem(running) {
  return {
    key: running.turnNumber === null ? `request-${running.requestId}` : `turn-${running.turnNumber}`,
    turnNumber: running.turnNumber,
    query: running.query,
    askedAt: running.askedAt,
    response: null,
    answeredAt: null,
    notes: running.intent ? { intent: running.intent, confidence: running.confidence ?? 0 } : {},
    answer: running,
  };
}

/**
 * @param {ChatReply} reply
 * @param {Answer} running
 * @param {string} now
 * @returns {ShownTurn}
 */
export function turnOf(reply, running, now) {
  return {
    turn_number: reply.turn_number,
    query: { id: `${running.requestId}-query`, content: running.query, created_at: running.askedAt },
    response: { id: `${running.requestId}-response`, content: reply.message, created_at: now },
    metadata: { ...reply.metadata, intent: reply.intent, confidence: reply.confidence },
  };
}

/**
 * Puts a finished turn in its place, if that place is in the stretch that is shown.
 * @param {Thread} held
 * @param {ShownTurn} turn
 * @returns {Thread}
 */
export function withTurn(held, turn) {
  const place = held.turns.findIndex((known) => known.turn_number === turn.turn_number);
  if (place >= 0) return { ...held, turns: held.turns.map((known, at) => (at === place ? turn : known)) };
  const last = held.turns.at(-1)?.turn_number ?? 0;
  if (held.hasLater || turn.turn_number <= last) return held;
  return trimmed({ ...held, turns: [...held.turns, turn] }, "start");
}

/**
 * Joins a page of earlier or later turns to the stretch, and lets go of what lies far off on the other side.
 * @param {Thread} held
 * @param {TranscriptPage} page
 * @param {"start" | "end"} side where the page belongs
 * @returns {Thread}
 */
export function joined(held, page, side) {
  const known = new Set(page.items.map((turn) => turn.turn_number));
  const rest = held.turns.filter((turn) => !known.has(turn.turn_number));
  if (side === "start") {
    return trimmed({ ...held, turns: [...page.items, ...rest], hasEarlier: page.has_earlier }, "end");
  }
  return trimmed({ ...held, turns: [...rest, ...page.items], hasLater: page.has_later }, "start");
}

/**
 * @param {Thread} held
 * @param {"start" | "end"} side where to let go
 * @returns {Thread}
 */
export function trimmed(held, side) {
  if (held.turns.length <= MOST_HELD) return held;
  return side === "start"
    ? { ...held, turns: held.turns.slice(-MOST_HELD), hasEarlier: true }
    : { ...held, turns: held.turns.slice(0, MOST_HELD), hasLater: true };
}

/** @param {Answer} news */
export function putAnswer(news) {
  answers.value = new Map(answers.value).set(news.conversationId, news);
}

/** @param {string} conversationId */
export function endAnswer(conversationId) {
  const rest = new Map(answers.value);
  rest.delete(conversationId);
  answers.value = rest;
}

/**
 * @param {string} conversationId
 * @param {number} turnNumber
 */
export function saveKey(conversationId, turnNumber) {
  return `${conversationId}/${turnNumber}`;
}

/**
 * @param {string} conversationId
 * @param {ShownTurn} turn
 * @param {Save["state"]} state
 */
export function putSave(conversationId, turn, state) {
  saves.value = new Map(saves.value).set(saveKey(conversationId, turn.turn_number), { state, turn });
}

/**
 * Puts answers that could not be kept over their turns, which the service knows without them.
 * @param {string} conversationId
 * @param {ShownTurn[]} turns
 * @param {ReadonlyMap<string, Save>} known
 */
export function withUnsaved(conversationId, turns, known) {
  return turns.map((turn) =>
    turn.response === null ? (known.get(saveKey(conversationId, turn.turn_number))?.turn ?? turn) : turn,
  );
}
