/** What the page itself is doing: where it is, what is open, what it has to tell. */
/** @import { About, Drawer, Route, Toast } from "../types" */
import { signal } from "@preact/signals";

export const about = signal(/** @type {About | null} */ (null));
export const signInNeeded = signal(false);
export const signInRefused = signal(false);
/** @type {import("@preact/signals").Signal<"online" | "unreachable" | "degraded" | "unkept">} */
export const connection = signal("online");
export const route = signal(/** @type {Route} */ ({ view: "conversation", id: null, turn: null }));
export const drawer = signal(/** @type {Drawer} */ (null));
export const helpOpen = signal(false);
export const sidebarOpenOnPhone = signal(false);
export const toasts = signal(/** @type {Toast[]} */ ([]));
/** Read out by screen readers, shown nowhere. */
export const announcement = signal("");

let lastToast = 0;

/**
 * @param {string} text
 * @param {Toast["action"]} [action]
 * @param {number} [milliseconds]
 */
export function tell(text, action = null, milliseconds = 6000) {
  const toast = { id: (lastToast += 1), text, action };
  toasts.value = [...toasts.value, toast].slice(-3);
  const timer = setTimeout(() => dismiss(toast.id), milliseconds);
  if (typeof timer === "object") /** @type {any} */ (timer).unref?.();
  return toast.id;
}

/** @param {number} id */
export function dismiss(id) {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/**
 * Goes to another place at once: the browser tells of a new address only after what is being done now, and what is
 * sent in between would go to the conversation before.
 * @param {string} hash
 */
export function moveTo(hash) {
  location.hash = hash;
  route.value = routeOf(hash);
}

const CONVERSATION = /^#\/c\/([0-9a-f-]{36})(?:\/(\d+))?$/i;

/**
 * @param {string} hash
 * @returns {Route}
 */
export function routeOf(hash) {
  if (hash === "#/insights") return { view: "insights" };
  const found = CONVERSATION.exec(hash);
  return { view: "conversation", id: found?.[1] ?? null, turn: found?.[2] ? Number(found[2]) : null };
}

/**
 * @param {string | null} id
 * @param {number | null} [turn]
 */
export function hashOf(id, turn = null) {
  return id === null ? "#/" : turn === null ? `#/c/${id}` : `#/c/${id}/${turn}`;
}
