/** The memory panel's work. */
/** @import { Memory, MemorySource, Progress } from "../types" */
import { ApiError, named, request } from "../api.js";
import { editing, histories, loaded, memories, progress, put, remove } from "../state/memories.js";
import { tell } from "../state/shell.js";
import { say } from "../text/say.js";
import { goTo } from "./reading.js";

const MOST = 500;
const LOOK_EVERY = 500;

export async function loadMemories() {
  const query = { ...named(), archived: false, limit: MOST };
  memories.value = (await request("GET", "/api/memories", { query })).items;
  loaded.value = true;
}

/** @param {Pick<Memory, "content" | "memory_type" | "category" | "pinned">} entered */
export async function add(entered) {
  await attempt(async () => {
    put(await request("POST", "/api/memories", { body: { ...named(), ...entered } }));
    editing.value = null;
    tell(say("memory_added"));
  });
}

/**
 * @param {string} id
 * @param {Partial<Memory>} changes
 */
export async function change(id, changes) {
  await attempt(async () => {
    put(await request("PATCH", `/api/memories/${id}`, { body: changes }));
    forgetHistory(id);
    editing.value = null;
  });
}

/** @param {Memory} memory */
export async function forget(memory) {
  await attempt(async () => {
    await request("DELETE", `/api/memories/${memory.id}`);
    remove(memory.id);
    tell(say("memory_deleted"));
  });
}

/** @param {string} id */
export async function showHistory(id) {
  if (histories.value.has(id)) return forgetHistory(id);
  await attempt(async () => {
    const { items } = await request("GET", `/api/memories/${id}/history`);
    histories.value = new Map(histories.value).set(id, items);
  });
}

/**
 * @param {string} id
 * @param {() => void} found called before the page goes there
 */
export async function showSource(id, found) {
  await attempt(async () => {
    const source = /** @type {MemorySource} */ (await request("GET", `/api/memories/${id}/source`));
    if (!source.conversation_id) return void tell(say("source_gone"));
    found();
    goTo(source.conversation_id, source.turn_number);
  });
}

/**
 * Learns from a conversation, or from all that hold something unread, and shows how far it is.
 * @param {string | null} conversationId
 */
export async function extract(conversationId) {
  if (progress.value !== null) return;
  const which = conversationId ? { conversation_id: conversationId } : named();
  await attempt(async () => {
    const before = memories.value.length;
    progress.value = await request("POST", "/api/memories/extract", { body: which });
    while (/** @type {Progress} */ (progress.value).state !== "done") {
      await new Promise((resume) => setTimeout(resume, LOOK_EVERY));
      progress.value = await request("GET", "/api/memories/extract", { query: which });
      if (progress.value?.last_error) throw new ApiError(500, "extraction", progress.value.last_error);
    }
    await loadMemories();
    const learnt = Math.max(0, memories.value.length - before);
    tell(learnt > 0 ? say("learnt", { count: learnt }) : say("learnt_nothing"));
  });
  progress.value = null;
}

/** @param {string} id */
function forgetHistory(id) {
  const rest = new Map(histories.value);
  rest.delete(id);
  histories.value = rest;
}

/** @param {() => Promise<void>} work */
async function attempt(work) {
  try {
    await work();
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    tell(problem.status === 400 ? problem.message : say("change_failed"));
  }
}
