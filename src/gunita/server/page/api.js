/** The service's HTTP interface, as an ordinary client speaks it. */
/** @import { StreamEvent } from "./events.js" */
import { EventReader } from "./events.js";

/** What the service said instead of what it was asked for; status 0 is no answer at all. */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   */
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** @type {{ secret: () => string | null, userId: () => string | null, refused: () => void }} */
const caller = { secret: () => null, userId: () => null, refused: () => {} };

/**
 * Says whose requests these are; `refused` is called when the service wants to know who is asking.
 * @param {typeof caller} given
 */
export function actAs(given) {
  Object.assign(caller, given);
}

/** The user a service acts for, to be named in requests that begin something or list it. */
export function named() {
  const userId = caller.userId();
  return userId === null ? {} : { user_id: userId };
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{ query?: Record<string, unknown>, body?: unknown, signal?: AbortSignal, keepalive?: boolean }} [options]
 * @returns {Promise<any>}
 */
export async function request(method, path, options = {}) {
  const response = await asked(method, path, options);
  return response.status === 204 ? null : response.json();
}

/**
 * @param {string} path
 * @param {Record<string, unknown>} query
 * @returns {Promise<Blob>}
 */
export async function download(path, query) {
  return (await asked("GET", path, { query })).blob();
}

/**
 * Reads a stream of events until it ends.
 * @param {string} method
 * @param {string} path
 * @param {{ body?: unknown, lastEvent?: number }} options
 * @returns {AsyncGenerator<StreamEvent>}
 */
export async function* stream(method, path, { body, lastEvent = 0 }) {
  const headers = lastEvent > 0 ? { "Last-Event-ID": String(lastEvent) } : undefined;
  const response = await asked(method, path, { body, headers });
  const pieces = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  const events = new EventReader();
  try {
    for (;;) {
      const { done, value } = await pieces.read().catch(() => {
        throw new ApiError(0, "unreachable", "the stream broke off");
      });
      if (done) return;
      yield* events.read(decoder.decode(value, { stream: true }));
    }
  } finally {
    pieces.cancel().catch(() => {});
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{ query?: Record<string, unknown>, body?: unknown, signal?: AbortSignal, keepalive?: boolean,
 *   headers?: Record<string, string> }} options
 */
async function asked(method, path, { query, body, signal, keepalive, headers }) {
  const response = await fetch(address(path, query), {
    method,
    signal,
    keepalive,
    headers: { ...credentials(), ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((problem) => {
    if (problem.name === "AbortError") throw problem;
    throw new ApiError(0, "unreachable", "the service does not answer");
  });
  if (response.ok) return response;
  if (response.status === 401) caller.refused();
  throw await problemOf(response);
}

/** @returns {Record<string, string>} */
function credentials() {
  const secret = caller.secret();
  return secret ? { Authorization: `Bearer ${secret}` } : {};
}

/**
 * @param {string} path
 * @param {Record<string, unknown>} [query]
 */
export function address(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return search ? `${path}?${search}` : path;
}

/** @param {Response} response */
async function problemOf(response) {
  const said = await response.json().catch(() => ({}));
  return new ApiError(response.status, said.error_code ?? "http_error", said.message ?? response.statusText);
}
