/** The thread: a stretch of turns that grows and lets go as somebody scrolls, and keeps its place meanwhile. */
/** @import { ThreadItem } from "../types" */
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { loadEarlier, loadLater, open, toNewest } from "../actions/reading.js";
import { about } from "../state/shell.js";
import { language } from "../state/settings.js";
import { highlighted, items, jumps, sent, thread } from "../state/thread.js";
import { say } from "../text/say.js";
import { calendarDay, daysAgo, largestUnit } from "../times.js";
import { Empty } from "./empty.js";
import { Icon } from "./icons.js";
import { startNew } from "./keys.js";
import { TurnView } from "./turn.js";

/** How near to an end somebody must be for more to be fetched, in pixels. */
const NEAR = 900;
const AT_END = 80;

export function Thread() {
  const { id, state, hasEarlier, hasLater } = thread.value;
  const shown = items.value;
  const scroller = useRef(/** @type {HTMLDivElement | null} */ (null));
  const away = useKeptPlace(scroller, id, shown);
  useJump(scroller);
  if (state === "gone") return html`<${Gone} />`;
  if (state === "failed" && shown.length === 0) return html`<${Failed} />`;
  if (shown.length === 0 && state === "ready") return html`<div class="thread-place"><${Empty} /></div>`;
  return html`<div class="thread-place">
    <div class="thread" ref=${scroller} tabindex="0" role="region" aria-label=${say("messages")}>
      <div class="column">
        ${(state === "loading" || hasEarlier) && html`<${Skeleton} />`}
        ${shown.map((item, place) => html`
          <${DayMark} key=${`day-${item.key}`} item=${item} before=${shown[place - 1]} />
          <${TurnView} key=${item.key} item=${item} newest=${!hasLater && place === shown.length - 1} />
        `)}
        ${hasLater && html`<${Skeleton} />`}
      </div>
    </div>
    ${(away || hasLater) && html`<${ToNewest} scroller=${scroller} />`}
  </div>`;
}

/**
 * Keeps what is looked at in its place when turns come or go above it, and follows the end while somebody is there.
 * @param {{ current: HTMLDivElement | null }} scroller
 * @param {string | null} id
 * @param {ThreadItem[]} shown
 */
function useKeptPlace(scroller, id, shown) {
  const place = useRef(/** @type {Place} */ ({ atEnd: true, anchor: null }));
  const [away, setAway] = useState(false);
  useLayoutEffect(() => {
    place.current = { atEnd: true, anchor: null };
  }, [id, sent.value]);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const wanted = highlighted.peek();
    const target = wanted === null ? null : box.querySelector(`[data-turn="${wanted}"]`);
    // Somebody on the way to a turn gets there, also when others come in around it meanwhile.
    if (target) target.scrollIntoView({ block: "center" });
    else if (place.current.atEnd && !thread.value.hasLater) box.scrollTop = box.scrollHeight;
    else restore(box, place.current.anchor);
  }, [shown]);
  useEffect(
    () => (scroller.current === null ? undefined : watched(scroller.current, place, setAway)),
    [id, shown.length > 0],
  );
  return away;
}

/** @typedef {{ atEnd: boolean, anchor: { key: string, top: number } | null }} Place */

/**
 * Notes where somebody is as they scroll, fetches what comes next, and stays at the end as an answer grows.
 * @param {HTMLDivElement} box
 * @param {{ current: Place }} place
 * @param {(away: boolean) => void} setAway
 */
function watched(box, place, setAway) {
  const scrolled = () => {
    const below = box.scrollHeight - box.scrollTop - box.clientHeight;
    place.current = { atEnd: below < AT_END, anchor: anchorOf(box) };
    setAway(below > box.clientHeight);
    if (box.scrollTop < NEAR) void loadEarlier();
    if (below < NEAR) void loadLater();
  };
  const grown = new ResizeObserver(() => {
    if (place.current.atEnd && !thread.value.hasLater) box.scrollTop = box.scrollHeight;
  });
  grown.observe(/** @type {Element} */ (box.firstElementChild));
  const leave = () => (highlighted.value = null);
  box.addEventListener("scroll", scrolled, { passive: true });
  box.addEventListener("wheel", leave, { passive: true });
  box.addEventListener("touchmove", leave, { passive: true });
  return () => {
    box.removeEventListener("wheel", leave);
    box.removeEventListener("touchmove", leave);
    box.removeEventListener("scroll", scrolled);
    grown.disconnect();
  };
}

/** @param {HTMLElement} box */
function anchorOf(box) {
  const top = box.getBoundingClientRect().top;
  for (const turn of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll("[data-key]"))) {
    const place = turn.getBoundingClientRect();
    if (place.bottom > top) return { key: /** @type {string} */ (turn.dataset.key), top: place.top };
  }
  return null;
}

/**
 * @param {HTMLElement} box
 * @param {{ key: string, top: number } | null} anchor
 */
function restore(box, anchor) {
  const turn = anchor && box.querySelector(`[data-key="${anchor.key}"]`);
  if (turn) box.scrollTop += turn.getBoundingClientRect().top - anchor.top;
}

/** @param {{ current: HTMLDivElement | null }} scroller */
function useJump(scroller) {
  const wanted = highlighted.value;
  const there = wanted !== null && items.value.some((item) => item.turnNumber === wanted);
  useEffect(() => {
    const turn = /** @type {HTMLElement | null} */ (there ? scroller.current?.querySelector(`[data-turn="${wanted}"]`) : null);
    if (!turn) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    turn.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
    turn.focus({ preventScroll: true });
  }, [wanted, there, jumps.value]);
}

/** @param {{ item: ThreadItem, before: ThreadItem | undefined }} props */
function DayMark({ item, before }) {
  if (!item.askedAt) return null;
  const now = new Date();
  const days = daysAgo(item.askedAt, now);
  if (before?.askedAt && daysAgo(before.askedAt, now) === days) return null;
  const text = days === 0 ? say("today") : days === 1 ? say("yesterday") : calendarDay(item.askedAt, language.value);
  return html`<div class="day"><span>${text}</span></div>`;
}

function Skeleton() {
  return html`<div class="skeleton" role="status" aria-label=${say("loading")}><i></i><i></i><i></i></div>`;
}

/** @param {{ scroller: { current: HTMLDivElement | null } }} props */
function ToNewest({ scroller }) {
  const go = async () => {
    await toNewest();
    const box = scroller.current;
    if (box) requestAnimationFrame(() => (box.scrollTop = box.scrollHeight));
  };
  return html`<button type="button" class="to-newest" onClick=${() => void go()}>
    <${Icon} name="down" /><span>${say("back_to_newest")}</span>
  </button>`;
}

function Failed() {
  const again = () => void open(thread.value.id, null, true);
  return html`<div class="thread-place"><div class="empty" role="alert">
    <h2>${say("unreachable")}</h2>
    <button type="button" class="primary-button" onClick=${again}>${say("retry")}</button>
  </div></div>`;
}

function Gone() {
  const { unit, count } = largestUnit(about.value?.retention_hours ?? 24);
  return html`<div class="thread-place"><div class="empty" role="status">
    <h2>${say("gone")}</h2>
    <p>${say("gone_text", { time: say(`in_${unit}`, { count }) })}</p>
    <button type="button" class="primary-button" onClick=${startNew}>${say("new")}</button>
  </div></div>`;
}
