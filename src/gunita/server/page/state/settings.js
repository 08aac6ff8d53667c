/** What the person chose for this browser, and the secret they signed in with. */
import { computed, effect, signal } from "@preact/signals";

/** @type {Pick<Storage, "getItem" | "setItem" | "removeItem">} */
const NOWHERE = { getItem: () => null, setItem: () => {}, removeItem: () => {} };

/** @param {"localStorage" | "sessionStorage"} name */
function storage(name) {
  try {
    return globalThis[name] ?? NOWHERE;
  } catch {
    // A browser that forbids storage throws on the very look; the choice then lasts as long as the page.
    return NOWHERE;
  }
}

/**
 * @template {string | null} Value
 * @param {"localStorage" | "sessionStorage"} place
 * @param {string} key
 * @param {Value} otherwise
 */
function kept(place, key, otherwise) {
  const box = storage(place);
  const found = signal(/** @type {Value} */ (box.getItem(key) ?? otherwise));
  effect(() => {
    if (found.value === null || found.value === otherwise) box.removeItem(key);
    else box.setItem(key, found.value);
  });
  return found;
}

/** @typedef {"auto" | "light" | "dark"} Theme */
/** @typedef {"auto" | "en" | "fil"} LanguageChoice */

export const theme = kept("localStorage", "gunita.theme", /** @type {Theme} */ ("auto"));
export const languageChoice = kept("localStorage", "gunita.language", /** @type {LanguageChoice} */ ("auto"));
export const actingAs = kept("localStorage", "gunita.user", /** @type {string} */ ("anonymous"));
export const sidebarHidden = kept("localStorage", "gunita.sidebar", /** @type {"shown" | "hidden"} */ ("shown"));
export const welcomeDismissed = kept("localStorage", "gunita.model-notice", /** @type {"shown" | "hidden"} */ ("shown"));
/** Kept for this tab alone, and never in an address. */
export const secret = kept("sessionStorage", "gunita.secret", /** @type {string | null} */ (null));

/** @returns {"en" | "fil"} */
export function languageOf(/** @type {LanguageChoice} */ choice, /** @type {readonly string[]} */ wanted) {
  if (choice !== "auto") return choice;
  return /^(fil|tl)\b/.test(wanted[0] ?? "") ? "fil" : "en";
}

export const language = computed(() => languageOf(languageChoice.value, globalThis.navigator?.languages ?? []));
