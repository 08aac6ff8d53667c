/** Asking and hearing: one answer at a time in a conversation, over lines that may break. */
/** @import { Answer, ChatReply, ShownTurn } from "../types" */
/** @import { StreamEvent } from "../events.js" */
import { ApiError, named, request, stream } from "../api.js";
import { newId } from "../ids.js";
import { currentId, unread, withMember } from "../state/conversations.js";
import { announcement, connection, hashOf, moveTo, tell } from "../state/shell.js";
import {
  answers, endAnswer, highlighted, isRunning, NOTHING, putAnswer, putSave, sent, thread, turnOf, withTurn,
} from "../state/thread.js";
import { say } from "../text/say.js";
import { refreshConversation } from "./listing.js";
import { announceTurn } from "./tabs.js";

const WAITS = [300, 700, 1500, 3000, 5000];
/** An answer that nobody finished after so long was left by a service that died. */
const GIVEN_UP_AFTER = 600_000;

/**
 * Asks, in the conversation that is open or in a new one.
 * @param {string} query
 * @param {number | null} [choice]
 */
export async function ask(query, choice = null) {
  const text = query.trim();
  const conversationId = currentId.value ?? newId();
  if (!text || isRunning(answers.value.get(conversationId) ?? null)) return;
  if (currentId.value === null) {
    thread.value = { ...NOTHING, id: conversationId };
    moveTo(hashOf(conversationId));
  }
  await converse(newAnswer(conversationId, text, choice));
}

/** @param {Answer} failed */
export async function sendAgain(failed) {
  await converse({ ...failed, phase: "sending", problem: null });
}

/**
 * Asks the same again as a turn of its own.
 * @param {string} conversationId
 * @param {string} query
 */
export async function askAgain(conversationId, query) {
  endAnswer(conversationId);
  await converse(newAnswer(conversationId, query, null));
}

/** @param {string} conversationId */
export async function stop(conversationId) {
  const running = answers.value.get(conversationId);
  if (!running || !isRunning(running)) return;
  putAnswer({ ...running, phase: "stopping" });
  if (running.turnNumber !== null) await sendStop(conversationId, running.turnNumber);
}

/**
 * Goes on hearing an answer that is on its way: after a reload, or one that another tab asked for.
 * @param {string} conversationId
 * @param {ShownTurn} open
 */
export async function follow(conversationId, open) {
  if (open.query === null || answers.value.has(conversationId)) return;
  const begun = {
    ...newAnswer(conversationId, open.query.content, null),
    askedAt: open.query.created_at,
    turnNumber: open.turn_number,
  };
  if (Date.now() - new Date(begun.askedAt).getTime() > GIVEN_UP_AFTER) putAnswer({ ...begun, phase: "lost" });
  else {
    putAnswer({ ...begun, phase: "speaking" });
    await hearOut(conversationId, () => resumed(conversationId));
  }
}

/**
 * Keeps again what the service could not keep.
 * @param {string} conversationId
 * @param {ShownTurn} turn
 */
export async function saveAgain(conversationId, turn) {
  putSave(conversationId, turn, "saving");
  try {
    const stored = await storedTurn(conversationId, turn.turn_number);
    if (!stored?.query && turn.query) await addMessage(conversationId, "user", turn.query.content);
    if (!stored?.response && turn.response) await addMessage(conversationId, "assistant", turn.response.content);
    putSave(conversationId, turn, "saved");
    tell(say("saved"));
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    putSave(conversationId, turn, "unsaved");
    tell(say("save_failed"));
  }
}

/**
 * @param {string} conversationId
 * @param {string} query
 * @param {number | null} choice
 * @returns {Answer}
 */
function newAnswer(conversationId, query, choice) {
  return {
    conversationId, query, choice,
    requestId: newId(),
    askedAt: new Date().toISOString(),
    turnNumber: null,
    text: "",
    intent: null,
    confidence: null,
    lastEvent: 0,
    phase: "sending",
    problem: null,
  };
}

/** @param {Answer} begun */
async function converse(begun) {
  highlighted.value = null;
  sent.value += 1;
  // The same words twice in a row would not be read out a second time.
  announcement.value = "";
  putAnswer(begun);
  const body = {
    ...named(),
    query: begun.query,
    session_id: begun.conversationId,
    request_id: begun.requestId,
    choice: begun.choice,
  };
  await hearOut(begun.conversationId, () => {
    const known = answers.value.get(begun.conversationId);
    return known?.turnNumber ? resumed(begun.conversationId) : stream("POST", "/chat/stream", { body });
  });
}

/** @param {string} conversationId */
function resumed(conversationId) {
  const known = /** @type {Answer} */ (answers.value.get(conversationId));
  return stream("GET", `/chat/stream/${conversationId}/${known.turnNumber}`, { lastEvent: known.lastEvent });
}

/**
 * Hears an answer to its end, and takes it up again where the line breaks.
 * @param {string} conversationId
 * @param {() => AsyncGenerator<StreamEvent>} line
 */
async function hearOut(conversationId, line) {
  for (const wait of [...WAITS, null]) {
    try {
      await hear(conversationId, line());
      connection.value = "online";
      return;
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      if (problem.status === 0) connection.value = "unreachable";
      if (wait === null || !passing(problem)) return giveUp(conversationId, problem);
      change(conversationId, { phase: "reconnecting" });
      await new Promise((resume) => setTimeout(resume, wait));
    }
  }
}

/**
 * Tells whether trying again may help: nobody answers, somebody else is answering, or the database is away.
 * @param {ApiError} problem
 */
export function passing(problem) {
  return problem.status === 0 || problem.status === 409 || problem.status >= 500;
}

/**
 * @param {string} conversationId
 * @param {ApiError} problem
 */
function giveUp(conversationId, problem) {
  const known = answers.value.get(conversationId);
  if (!known) return;
  const phase = known.turnNumber === null ? "failed" : "lost";
  putAnswer({ ...known, phase, problem: problem.status === 0 || problem.status >= 500 ? null : problem.message });
  announcement.value = say(phase === "failed" ? "not_sent" : "answer_lost");
}

/**
 * @param {string} conversationId
 * @param {AsyncGenerator<StreamEvent>} line
 */
async function hear(conversationId, line) {
  for await (const event of line) {
    if (event.name === "started") started(conversationId, event);
    else if (event.name === "delta") spoke(conversationId, event);
    else if (event.name === "finished") return finished(conversationId, event.data);
    else if (event.name === "error") throw new ApiError(500, event.data.error_code, event.data.message);
  }
  throw new ApiError(0, "unreachable", "the stream ended before the answer did");
}

/**
 * @param {string} conversationId
 * @param {StreamEvent} event
 */
function started(conversationId, event) {
  const stopping = answers.value.get(conversationId)?.phase === "stopping";
  change(conversationId, {
    turnNumber: event.data.turn_number,
    intent: event.data.intent,
    confidence: event.data.confidence,
    lastEvent: event.id,
    text: "",
    phase: stopping ? "stopping" : "speaking",
  });
  announceTurn(conversationId);
  if (stopping) sendStop(conversationId, event.data.turn_number);
}

/**
 * @param {string} conversationId
 * @param {StreamEvent} event
 */
function spoke(conversationId, event) {
  const known = answers.value.get(conversationId);
  if (!known) return;
  const phase = known.phase === "stopping" ? "stopping" : "speaking";
  putAnswer({ ...known, text: known.text + event.data.text, lastEvent: event.id, phase });
}

/**
 * @param {string} conversationId
 * @param {ChatReply} reply
 */
async function finished(conversationId, reply) {
  const known = answers.value.get(conversationId);
  if (!known) return;
  const turn = turnOf(reply, known, new Date().toISOString());
  if (thread.value.id === conversationId) thread.value = withTurn(thread.value, turn);
  endAnswer(conversationId);
  if (reply.error) tell(reply.error);
  if (currentId.value !== conversationId || document.hidden) {
    unread.value = withMember(unread.value, conversationId, true);
  }
  announcement.value = say(reply.intent === "clarification" ? "question_came" : "answer_came");
  announceTurn(conversationId);
  await Promise.all([refreshConversation(conversationId), checkKept(conversationId, turn)]);
}

/**
 * Looks whether an answer that came with a warning was kept.
 * @param {string} conversationId
 * @param {ShownTurn} turn
 */
async function checkKept(conversationId, turn) {
  if (!turn.metadata.warnings?.length) return;
  // While the database is away nobody can look; what was said then waits in the service's journal.
  const isMissing = await storedTurn(conversationId, turn.turn_number).then(
    (stored) => !stored?.response,
    () => false,
  );
  if (isMissing) putSave(conversationId, turn, "unsaved");
}

/**
 * @param {string} conversationId
 * @param {number} turnNumber
 * @returns {Promise<ShownTurn | null>}
 */
async function storedTurn(conversationId, turnNumber) {
  const query = { after: turnNumber - 1, limit: 1 };
  const page = await request("GET", `/api/conversations/${conversationId}/turns`, { query });
  return page.items.find((/** @type {ShownTurn} */ turn) => turn.turn_number === turnNumber) ?? null;
}

/**
 * @param {string} conversationId
 * @param {"user" | "assistant"} role
 * @param {string} content
 */
function addMessage(conversationId, role, content) {
  return request("POST", `/api/conversations/${conversationId}/messages`, { body: { role, content } });
}

/**
 * @param {string} conversationId
 * @param {number} turnNumber
 */
async function sendStop(conversationId, turnNumber) {
  await request("POST", `/chat/stream/${conversationId}/${turnNumber}/stop`).catch((problem) => {
    if (!(problem instanceof ApiError)) throw problem;
    change(conversationId, { phase: "speaking" });
  });
}

/**
 * @param {string} conversationId
 * @param {Partial<Answer>} news
 */
function change(conversationId, news) {
  const known = answers.value.get(conversationId);
  if (known) putAnswer({ ...known, ...news });
}
