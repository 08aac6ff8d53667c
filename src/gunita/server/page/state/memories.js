/** What is known about the person: the memory panel's list and what is done to it. */
/** @import { Belief, Memory, MemoryType, Progress } from "../types" */
import { computed, signal } from "@preact/signals";

/** @type {MemoryType[]} */
export const TYPES = ["fact", "preference", "entity", "project", "decision"];

export const memories = signal(/** @type {Memory[]} */ ([]));
export const loaded = signal(false);
export const typeWanted = signal(/** @type {MemoryType | null} */ (null));
export const categoryWanted = signal(/** @type {string | null} */ (null));
export const textWanted = signal("");
export const editing = signal(/** @type {string | "new" | null} */ (null));
export const histories = signal(/** @type {ReadonlyMap<string, Belief[]>} */ (new Map()));
export const progress = signal(/** @type {Progress | null} */ (null));

export const categories = computed(() =>
  [...new Set(memories.value.map((memory) => memory.category).filter((name) => name !== null))].sort(),
);
export const matching = computed(() =>
  arranged(memories.value, typeWanted.value, categoryWanted.value, textWanted.value),
);

/**
 * Chooses memories by type, category and words, pinned ones first.
 * @param {Memory[]} all
 * @param {MemoryType | null} type
 * @param {string | null} category
 * @param {string} text
 */
export function arranged(all, type, category, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return all
    .filter(
      (memory) =>
        (type === null || memory.memory_type === type) &&
        (category === null || memory.category === category) &&
        words.every((word) => memory.content.toLowerCase().includes(word)),
    )
    .sort((one, other) => Number(other.pinned) - Number(one.pinned) || other.created_at.localeCompare(one.created_at));
}

/** @param {Memory} memory */
export function put(memory) {
  const rest = memories.value.filter((known) => known.id !== memory.id);
  memories.value = [memory, ...rest];
}

/** @param {string} id */
export function remove(id) {
  memories.value = memories.value.filter((known) => known.id !== id);
}
