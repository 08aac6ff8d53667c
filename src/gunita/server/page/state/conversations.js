/** The conversations in the sidebar. */
/** @import { Conversation, Found } from "../types" */
import { computed, signal } from "@preact/signals";
import { route } from "./shell.js";

export const PAGE = 50;

export const listed = signal(/** @type {Conversation[]} */ ([]));
export const nextOffset = signal(/** @type {number | null} */ (null));
export const loaded = signal(false);
export const showArchived = signal(false);
export const searchText = signal("");
export const found = signal(/** @type {Found[] | null} */ (null));
/** Conversations whose answer came while somebody looked elsewhere. */
export const unread = signal(/** @type {ReadonlySet<string>} */ (new Set()));
/** Conversations that are as good as deleted, until somebody says no. */
export const leaving = signal(/** @type {ReadonlySet<string>} */ (new Set()));

export const visible = computed(() =>
  listed.value.filter(
    (conversation) => conversation.archived === showArchived.value && !leaving.value.has(conversation.id),
  ),
);

export const currentId = computed(() => (route.value.view === "conversation" ? route.value.id : null));
export const current = computed(() => listed.value.find((conversation) => conversation.id === currentId.value) ?? null);

/**
 * Puts conversations in, newer knowledge over older, and keeps the order by recency.
 * @param {Conversation[]} known
 * @param {Conversation[]} news
 */
export function merged(known, news) {
  const byId = new Map(known.map((conversation) => [conversation.id, conversation]));
  for (const conversation of news) byId.set(conversation.id, conversation);
  return [...byId.values()].sort((one, other) => other.updated_at.localeCompare(one.updated_at));
}

/** @param {Conversation} conversation */
export function take(conversation) {
  listed.value = merged(listed.value, [conversation]);
}

/** @param {string} id */
export function drop(id) {
  listed.value = listed.value.filter((conversation) => conversation.id !== id);
  if (found.value) found.value = found.value.filter((hit) => hit.conversation.id !== id);
}

/**
 * @param {ReadonlySet<string>} set
 * @param {string} member
 * @param {boolean} inside
 */
export function withMember(set, member, inside) {
  const copy = new Set(set);
  if (inside) copy.add(member);
  else copy.delete(member);
  return copy;
}

/**
 * Names the conversation before or after the current one, as the sidebar shows them.
 * @param {string[]} order
 * @param {string | null} current
 * @param {1 | -1} step
 */
export function neighbour(order, current, step) {
  if (order.length === 0) return null;
  const place = current === null ? -1 : order.indexOf(current);
  if (place < 0) return step > 0 ? order[0] : order[order.length - 1];
  return order[Math.min(order.length - 1, Math.max(0, place + step))];
}
