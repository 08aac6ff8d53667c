/** Opening a conversation, going through it, and jumping to a turn. */
/** @import { ShownTurn, TranscriptPage } from "../types" */
import { ApiError, request } from "../api.js";
import { currentId, drop, unread, withMember } from "../state/conversations.js";
import { hashOf, moveTo } from "../state/shell.js";
import { answers, highlighted, joined, jumps, NOTHING, PAGE, saves, thread, withUnsaved } from "../state/thread.js";
import { follow } from "./conversing.js";

const HIGHLIGHT_FOR = 2600;
let loading = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let dimming;

/**
 * @param {string | null} id
 * @param {number | null} turn
 * @param {boolean} [again] also when it is open already
 */
export async function open(id, turn, again = false) {
  if (id === null) {
    thread.value = NOTHING;
    return;
  }
  unread.value = withMember(unread.value, id, false);
  if (!again && thread.value.id === id && (turn === null || holds(turn))) {
    if (turn !== null) highlight(turn);
    return;
  }
  if (again || thread.value.id !== id) thread.value = { ...NOTHING, id, state: "loading" };
  await show(id, turn === null ? {} : { around: turn });
  if (turn !== null) highlight(turn);
}

/** @param {string} id */
export async function refresh(id) {
  if (thread.value.id !== id || thread.value.hasLater || thread.value.state === "loading") return;
  const page = await pageOf(id, { limit: PAGE }).catch((problem) => absent(id, problem));
  if (!page || thread.value.id !== id) return;
  const first = page.items[0]?.turn_number ?? 0;
  const kept = thread.value.turns.filter((turn) => turn.turn_number < first);
  const gap = kept.length > 0 && page.has_earlier && kept[kept.length - 1].turn_number < first - 1;
  thread.value = {
    ...thread.value,
    state: "ready",
    turns: gap ? page.items : [...kept, ...page.items],
    hasEarlier: gap || kept.length === 0 ? page.has_earlier : thread.value.hasEarlier,
  };
  followOpenTurn(id);
}

export async function loadEarlier() {
  const first = thread.value.turns[0]?.turn_number;
  if (thread.value.hasEarlier && first) await load({ before: first }, "start");
}

export async function loadLater() {
  const last = thread.value.turns.at(-1)?.turn_number;
  if (thread.value.hasLater && last) await load({ after: last }, "end");
}

/** @param {number} turn */
export async function jump(turn) {
  const { id } = thread.value;
  if (id === null) return;
  if (!holds(turn)) await show(id, { around: turn });
  highlight(turn);
}

/** Shows the newest turns, from wherever somebody has scrolled to. */
export async function toNewest() {
  const { id, hasLater } = thread.value;
  if (id !== null && hasLater) await show(id, {});
}

/**
 * @param {string} id
 * @param {number | null} turn
 */
export function goTo(id, turn = null) {
  const hash = hashOf(id, turn);
  if (location.hash === hash && turn !== null) void jump(turn);
  else moveTo(hash);
}

/** @param {number} turn */
function holds(turn) {
  return thread.value.turns.some((known) => known.turn_number === turn);
}

/** @param {number} turn */
function highlight(turn) {
  clearTimeout(dimming);
  highlighted.value = turn;
  jumps.value += 1;
  dimming = setTimeout(() => (highlighted.value = null), HIGHLIGHT_FOR);
}

/**
 * @param {string} id
 * @param {{ around?: number }} place
 */
async function show(id, place) {
  const page = await pageOf(id, { ...place, limit: PAGE }).catch((problem) => absent(id, problem));
  if (!page || thread.value.id !== id) return;
  thread.value = { id, turns: page.items, hasEarlier: page.has_earlier, hasLater: page.has_later, state: "ready" };
  followOpenTurn(id);
}

/**
 * @param {{ before?: number, after?: number }} place
 * @param {"start" | "end"} side
 */
async function load(place, side) {
  const { id } = thread.value;
  if (loading || id === null) return;
  loading = true;
  try {
    const page = await pageOf(id, { ...place, limit: PAGE });
    if (thread.value.id === id) thread.value = joined(thread.value, page, side);
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
  } finally {
    loading = false;
  }
}

/**
 * @param {string} id
 * @param {Record<string, unknown>} query
 * @returns {Promise<TranscriptPage>}
 */
async function pageOf(id, query) {
  const page = await request("GET", `/api/conversations/${id}/turns`, { query });
  return { ...page, items: withUnsaved(id, page.items, saves.value) };
}

/**
 * @param {string} id
 * @param {unknown} problem
 * @returns {null}
 */
function absent(id, problem) {
  if (!(problem instanceof ApiError)) throw problem;
  // One that is being begun is not there yet.
  if (thread.value.id !== id || answers.value.has(id)) return null;
  if (problem.status === 404) drop(id);
  thread.value = { ...thread.value, state: problem.status === 404 ? "gone" : "failed" };
  return null;
}

/** @param {string} id */
function followOpenTurn(id) {
  const last = thread.value.hasLater ? undefined : thread.value.turns.at(-1);
  if (last && isOpen(last) && currentId.value === id) void follow(id, last);
}

/** @param {ShownTurn} turn */
function isOpen(turn) {
  return turn.query !== null && turn.response === null;
}
