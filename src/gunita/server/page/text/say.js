/** The page's words in the language that is chosen. */
import { language } from "../state/settings.js";
import { english } from "./en.js";
import { filipino } from "./fil.js";

/** @typedef {keyof typeof english} Words */

const TEXTS = { en: english, fil: filipino };

/**
 * Says something; read inside a component it is said anew when the language changes.
 * @param {Words} words
 * @param {Record<string, string | number>} [values]
 */
export function say(words, values = {}) {
  return filled(TEXTS[language.value][words], values);
}

/**
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * Says one of several words that share a beginning: a kind, a type, a reason; what is not known is said as it came.
 * @param {string} beginning
 * @param {string} name
 */
export function sayOne(beginning, name) {
  const words = /** @type {Words} */ (`${beginning}_${name}`);
  return words in english ? say(words) : name;
}

/** @param {number} fraction */
export function percent(fraction) {
  return `${Math.round(fraction * 100)}%`;
}
