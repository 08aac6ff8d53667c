/** What is looked into: the receipt of a turn, and insights. */
/** @import { Insights, Receipt } from "../types" */
import { signal } from "@preact/signals";

/** @typedef {"loading" | "ready" | "absent" | "failed"} Looking */

export const receipt = signal(/** @type {Receipt | null} */ (null));
export const receiptState = signal(/** @type {Looking} */ ("loading"));
export const insights = signal(/** @type {Insights | null} */ (null));
export const insightsState = signal(/** @type {Looking} */ ("loading"));
export const days = signal(30);

/** The order in which pieces stand before a model, and so in the bar. */
export const KINDS = [
  "system_prompt", "memory", "user_memory", "document", "summary", "referenced_turn", "recalled_turn", "window_turn",
  "query",
];

/**
 * Gives the parts of the budget as fractions of the whole: each kind, what holds them together, the reserve, the rest.
 * @param {Receipt["body"]} body
 */
export function shares(body) {
  const whole = Math.max(1, body.context_tokens);
  const parts = KINDS.filter((kind) => (body.tokens_by_kind[kind] ?? 0) > 0).map((kind) => ({
    kind,
    tokens: body.tokens_by_kind[kind],
  }));
  if (body.framing_tokens > 0) parts.push({ kind: "framing", tokens: body.framing_tokens });
  const free = Math.max(0, whole - body.prompt_tokens - body.reserve_tokens);
  parts.push({ kind: "reserve", tokens: body.reserve_tokens }, { kind: "free", tokens: free });
  return parts.map((part) => ({ ...part, share: part.tokens / whole }));
}
