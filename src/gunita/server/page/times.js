/** Days, groups of days, and how long something is still remembered. */
/** @import { Conversation } from "./types" */

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** @param {Date} date */
function midnight(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/**
 * Counts whole days between two moments as a calendar does.
 * @param {string | Date} moment
 * @param {Date} now
 */
export function daysAgo(moment, now) {
  return Math.round((midnight(now) - midnight(new Date(moment))) / DAY);
}

/**
 * @param {string | Date} moment
 * @param {Date} now
 * @returns {"today" | "yesterday" | "earlier"}
 */
export function dayGroup(moment, now) {
  const days = daysAgo(moment, now);
  return days <= 0 ? "today" : days === 1 ? "yesterday" : "earlier";
}

/**
 * Puts conversations in groups by their last activity, pinned ones first; empty groups are left out.
 * @param {Conversation[]} conversations
 * @param {Date} now
 */
export function grouped(conversations, now) {
  /** @type {Record<string, Conversation[]>} */
  const groups = { pinned: [], today: [], yesterday: [], earlier: [] };
  for (const conversation of conversations) {
    groups[conversation.pinned ? "pinned" : dayGroup(conversation.updated_at, now)].push(conversation);
  }
  return Object.entries(groups)
    .filter(([, members]) => members.length > 0)
    .map(([name, members]) => ({ name, members }));
}

/**
 * Says how long a conversation is still remembered; null for one that stays.
 * @param {{ pinned: boolean, updated_at: string }} conversation
 * @param {number} retentionHours
 * @param {Date} now
 */
export function hoursLeft(conversation, retentionHours, now) {
  if (conversation.pinned) return null;
  return Math.max(0, (new Date(conversation.updated_at).getTime() + retentionHours * HOUR - now.getTime()) / HOUR);
}

/**
 * Names a stretch of time in its largest fitting unit.
 * @param {number} hours
 * @returns {{ unit: "days" | "hours" | "minutes", count: number }}
 */
export function largestUnit(hours) {
  if (hours > 48) return { unit: "days", count: Math.round(hours / 24) };
  if (hours > 1) return { unit: "hours", count: Math.round(hours) };
  return { unit: "minutes", count: Math.max(0, Math.round(hours * 60)) };
}

/**
 * @param {string} moment
 * @param {string} language
 */
export function clock(moment, language) {
  return new Date(moment).toLocaleTimeString(locale(language), { hour: "numeric", minute: "2-digit" });
}

/**
 * @param {string | Date} moment
 * @param {string} language
 */
export function calendarDay(moment, language) {
  return new Date(moment).toLocaleDateString(locale(language), { weekday: "long", day: "numeric", month: "long" });
}

/** @param {string} language */
export function locale(language) {
  return language === "fil" ? "fil-PH" : "en";
}
