/** Server-sent events, read from a stream of text in pieces of any size. */

/** @typedef {{ name: string, data: any, id: number }} StreamEvent */

/** Gathers pieces of text and gives the events that are whole. */
export class EventReader {
  constructor() {
    this.rest = "";
  }

  /**
   * @param {string} piece
   * @returns {StreamEvent[]}
   */
  read(piece) {
    const blocks = (this.rest + piece).replace(/\r\n?/g, "\n").split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.map(eventOf).filter((event) => event !== null);
  }
}

/**
 * @param {string} block
 * @returns {StreamEvent | null} null for a comment, which only keeps the line open
 */
export function eventOf(block) {
  /** @type {Record<string, string>} */
  const fields = {};
  for (const line of block.split("\n")) {
    if (line === "" || line.startsWith(":")) continue;
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    fields[name] = name === "data" && "data" in fields ? `${fields.data}\n${value}` : value;
  }
  if (!("data" in fields)) return null;
  return { name: fields.event ?? "message", data: JSON.parse(fields.data), id: Number(fields.id ?? 0) };
}
