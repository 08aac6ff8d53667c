/** The sidebar's work: list, find, rename, pin, archive, delete, write out. */
/** @import { Conversation } from "../types" */
import { ApiError, download, named, request } from "../api.js";
import {
  currentId, drop, found, leaving, listed, loaded, merged, nextOffset, PAGE, searchText, take, withMember,
} from "../state/conversations.js";
import { hashOf, moveTo, tell } from "../state/shell.js";
import { say } from "../text/say.js";
import { announceList } from "./tabs.js";

const UNDO_FOR = 7000;
const SEARCH_AFTER = 150;

/** Reads the newest conversations, archived ones too. */
export async function loadList() {
  const page = await request("GET", "/api/conversations", { query: { ...named(), limit: PAGE } });
  const known = new Set(page.items.map((/** @type {Conversation} */ item) => item.id));
  const oldest = page.items.at(-1)?.updated_at ?? "";
  // What lies within the page and is not in it any more was deleted or forgotten elsewhere.
  const older = listed.value.filter((item) => !known.has(item.id) && page.next_offset && item.updated_at < oldest);
  listed.value = merged(older, page.items);
  if (!loaded.value) nextOffset.value = page.next_offset;
  loaded.value = true;
}

export async function loadMore() {
  if (nextOffset.value === null) return;
  const query = { ...named(), limit: PAGE, offset: nextOffset.value };
  const page = await request("GET", "/api/conversations", { query });
  listed.value = merged(listed.value, page.items);
  nextOffset.value = page.next_offset;
}

/** @param {string} id */
export async function refreshConversation(id) {
  for (const wait of [0, 500, 2000]) {
    await new Promise((resume) => setTimeout(resume, wait));
    try {
      const { messages: _messages, summary: _summary, ...known } = await request("GET", `/api/conversations/${id}`, {
        query: { limit: 1 },
      });
      take(known);
      // A title is made in the background, shortly after the first answer.
      if (known.title !== null) return;
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem;
      return;
    }
  }
}

/** @type {AbortController | null} */
let searching = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let searchTimer;

/** @param {string} text */
export function search(text) {
  searchText.value = text;
  clearTimeout(searchTimer);
  searching?.abort();
  if (!text.trim()) {
    found.value = null;
    return;
  }
  searchTimer = setTimeout(() => find(text.trim()), SEARCH_AFTER);
}

/** @param {string} text */
async function find(text) {
  searching = new AbortController();
  const { signal } = searching;
  try {
    const query = { ...named(), q: text, limit: 20 };
    const page = await request("GET", "/api/conversations/search", { query, signal });
    if (!signal.aborted) found.value = page.items;
  } catch (problem) {
    if (problem instanceof ApiError) found.value = [];
    else if (/** @type {Error} */ (problem).name !== "AbortError") throw problem;
  }
}

/**
 * @param {string} id
 * @param {Partial<Pick<Conversation, "title" | "pinned" | "archived">>} changes
 */
export async function change(id, changes) {
  const known = listed.value.find((conversation) => conversation.id === id);
  if (known) take({ ...known, ...changes });
  try {
    take(await request("PATCH", `/api/conversations/${id}`, { body: changes }));
    announceList();
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    if (known) take(known);
    tell(say("change_failed"));
  }
}

/**
 * Archives a conversation or takes it out again, and offers the way back.
 * @param {Conversation} conversation
 */
export async function toggleArchived(conversation) {
  const archived = !conversation.archived;
  await change(conversation.id, { archived });
  tell(say(archived ? "archived_done" : "unarchived_done"), {
    label: say("undo"),
    run: () => void change(conversation.id, { archived: !archived }),
  });
}

/** @type {Map<string, ReturnType<typeof setTimeout>>} */
const deletions = new Map();

/**
 * Deletes a conversation, after a while in which that can be taken back.
 * @param {string} id
 */
export function remove(id) {
  leaving.value = withMember(leaving.value, id, true);
  const wasOpen = currentId.value === id;
  if (wasOpen) moveTo(hashOf(null));
  deletions.set(id, setTimeout(() => void deleteNow(id), UNDO_FOR));
  const undo = () => {
    clearTimeout(deletions.get(id));
    deletions.delete(id);
    leaving.value = withMember(leaving.value, id, false);
    if (wasOpen) moveTo(hashOf(id));
  };
  tell(say("deleted_done"), { label: say("undo"), run: undo }, UNDO_FOR);
}

/** Carries out what was decided, when the page goes away. */
export function deleteWhatWaits() {
  for (const id of deletions.keys()) void deleteNow(id, true);
}

/**
 * @param {string} id
 * @param {boolean} [keepalive]
 */
async function deleteNow(id, keepalive = false) {
  deletions.delete(id);
  try {
    await request("DELETE", `/api/conversations/${id}`, { keepalive });
    drop(id);
    announceList();
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    if (problem.status === 404) drop(id);
    else tell(say("delete_failed"));
  } finally {
    leaving.value = withMember(leaving.value, id, false);
  }
}

/**
 * @param {Conversation} conversation
 * @param {"json" | "markdown"} format
 */
export async function writeOut(conversation, format) {
  try {
    const blob = await download(`/api/conversations/${conversation.id}/export`, { format });
    hand(blob, `${fileName(conversation.title)}.${format === "json" ? "json" : "md"}`);
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    tell(say("export_failed"));
  }
}

/**
 * @param {Blob} blob
 * @param {string} name
 */
function hand(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {string | null} title */
export function fileName(title) {
  const plain = (title ?? "").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "");
  return plain.slice(0, 60) || "conversation";
}
