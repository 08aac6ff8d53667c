/** Looking into things: the receipt of a turn, insights, and saying that a reference was understood wrongly. */
import { ApiError, named, request } from "../api.js";
import { days, insights, insightsState, receipt, receiptState } from "../state/looking.js";
import { drawer, tell } from "../state/shell.js";
import { thread } from "../state/thread.js";
import { say } from "../text/say.js";

/**
 * @param {string} conversationId
 * @param {number} turnNumber
 */
export async function showReceipt(conversationId, turnNumber) {
  drawer.value = { kind: "receipt", conversationId, turnNumber };
  receipt.value = null;
  receiptState.value = "loading";
  try {
    receipt.value = await request("GET", `/api/conversations/${conversationId}/turns/${turnNumber}/receipt`);
    receiptState.value = "ready";
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    receiptState.value = problem.status === 404 ? "absent" : "failed";
  }
}

export async function loadInsights() {
  insightsState.value = insights.value ? "ready" : "loading";
  try {
    insights.value = await request("GET", "/api/insights", { query: { ...named(), days: days.value } });
    insightsState.value = "ready";
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    insightsState.value = "failed";
  }
}

/**
 * Says which turns a query meant; none says that it pointed at nothing.
 * @param {string} conversationId
 * @param {number} turnNumber
 * @param {number[]} meant
 */
export async function correct(conversationId, turnNumber, meant) {
  try {
    const body = { conversation_id: conversationId, turn_number: turnNumber, meant };
    await request("POST", "/api/corrections", { body });
    const turns = thread.value.turns.map((turn) =>
      turn.turn_number === turnNumber ? { ...turn, metadata: { ...turn.metadata, references: meant, confidence: 1 } } : turn,
    );
    thread.value = { ...thread.value, turns };
    tell(say("corrected"));
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    tell(say("change_failed"));
  }
}
