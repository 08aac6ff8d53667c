/** The keyboard, wherever the focus is. */
import { useLayoutEffect } from "preact/hooks";
import { stop } from "../actions/conversing.js";
import { goTo } from "../actions/reading.js";
import { currentId, neighbour, visible } from "../state/conversations.js";
import { drawer, hashOf, helpOpen, moveTo, sidebarOpenOnPhone } from "../state/shell.js";
import { busy } from "../state/thread.js";
import { grouped } from "../times.js";
import { showSidebar } from "./widths.js";

/** @typedef {"new" | "search" | "previous" | "next" | "memories" | "insights" | "help" | "close"} Command */

export const SHORTCUTS = [
  { keys: ["Enter"], words: "key_send" },
  { keys: ["Alt", "N"], words: "key_new" },
  { keys: ["Ctrl", "K"], words: "key_search" },
  { keys: ["Alt", "↑"], words: "key_previous" },
  { keys: ["Alt", "↓"], words: "key_next" },
  { keys: ["Alt", "M"], words: "key_memories" },
  { keys: ["Alt", "I"], words: "key_insights" },
  { keys: ["Esc"], words: "key_close" },
  { keys: ["?"], words: "key_help" },
];

/**
 * Says what a key means; a plain key means nothing while somebody writes.
 * @param {Pick<KeyboardEvent, "key" | "code" | "altKey" | "ctrlKey" | "metaKey">} event
 * @param {boolean} writing
 * @returns {Command | null}
 */
export function commandOf(event, writing) {
  if (event.key === "Escape") return "close";
  if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "k") return "search";
  if (event.altKey && !event.ctrlKey && !event.metaKey) {
    /** @type {Record<string, Command>} */
    const alternate = {
      KeyN: "new", KeyM: "memories", KeyI: "insights", ArrowUp: "previous", ArrowDown: "next",
    };
    return alternate[event.code] ?? null;
  }
  if (writing || event.ctrlKey || event.metaKey) return null;
  if (event.key === "?") return "help";
  if (event.key === "/") return "search";
  return null;
}

/** @type {Record<Command, () => void>} */
const COMMANDS = {
  new: startNew,
  search: () => {
    showSidebar();
    focusSoon("search");
  },
  previous: () => step(-1),
  next: () => step(1),
  memories: () => {
    drawer.value = drawer.value?.kind === "memories" ? null : { kind: "memories" };
  },
  insights: () => {
    moveTo(location.hash === "#/insights" ? "#/" : "#/insights");
  },
  help: () => {
    helpOpen.value = true;
  },
  close,
};

export function useKeys() {
  // Before the first paint: whoever sees the page may press a key at once.
  useLayoutEffect(() => {
    /** @param {KeyboardEvent} event */
    const pressed = (event) => {
      const focused = /** @type {HTMLElement | null} */ (document.activeElement);
      const writing = !!focused && (focused.matches("input, textarea, select") || focused.isContentEditable);
      const command = commandOf(event, writing);
      if (command === null || event.defaultPrevented) return;
      if (command !== "close") event.preventDefault();
      COMMANDS[command]();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

export function startNew() {
  moveTo(hashOf(null));
  focusSoon("composer");
}

/**
 * Focuses what may first have to be drawn, or shown.
 * @param {string} id
 */
function focusSoon(id) {
  requestAnimationFrame(() => setTimeout(() => document.getElementById(id)?.focus()));
}

/** @param {1 | -1} by */
function step(by) {
  const order = grouped(visible.value, new Date()).flatMap((group) => group.members.map((member) => member.id));
  const next = neighbour(order, currentId.value, by);
  if (next !== null) goTo(next);
}

/** Stops the answer; with none on its way, closes what is open. */
function close() {
  if (helpOpen.value) helpOpen.value = false;
  else if (busy.value && currentId.value !== null) void stop(currentId.value);
  else if (drawer.value) drawer.value = null;
  else sidebarOpenOnPhone.value = false;
}
