/** Plots in SVG: bars over time and bars by name, with values on hover and focus, and the same as a table. */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { say } from "../text/say.js";

/** Widths that are near to what is seen, so that text keeps its size. */
const WIDTHS = { phone: 330, half: 480, wide: 1000 };
const HEIGHT = 180;
const FOOT = 24;
const HEAD = 12;
/** Room for a digit in the widest of the usual fonts (DejaVu Sans: 7.6 at this size). */
const DIGIT = 8;
const GAP = 10;

/** @typedef {{ label: string, value: number, short?: string }} Bar */

/**
 * Finds a round number at or above the largest value, so that the scale ends well.
 * @param {number} largest
 */
export function roundedUp(largest) {
  if (largest <= 5) return Math.max(1, Math.ceil(largest));
  const size = 10 ** Math.floor(Math.log10(largest));
  return [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8, 10].map((step) => step * size).find((step) => step >= largest) ?? largest;
}

/** @param {{ title: string, bars: Bar[], first: string, second: string, width: keyof typeof WIDTHS }} props */
export function Columns({ title, bars, first, second, width: place }) {
  const width = WIDTHS[place];
  const [pointed, point] = useState(/** @type {number | null} */ (null));
  const top = roundedUp(Math.max(1, ...bars.map((bar) => bar.value)));
  // The scale stands beside the bars, so that none of them covers a number.
  const left = top.toLocaleString().length * DIGIT + GAP;
  const step = (width - left) / Math.max(1, bars.length);
  /** @param {number} value */
  const height = (value) => (value / top) * (HEIGHT - FOOT - HEAD);
  const shown = pointed === null ? null : bars[pointed];
  return html`<figure class="plot">
    <figcaption><h2>${title}</h2><span class="plot-value" aria-live="off">${shown ? `${shown.label}: ${shown.value.toLocaleString()}` : ""}</span></figcaption>
    <svg viewBox=${`0 0 ${width} ${HEIGHT}`} role="img" aria-label=${summary(title, bars)} onMouseLeave=${() => point(null)}>
      ${[top, top / 2].filter(Number.isInteger).map((value) => html`<g class="grid">
        <line x1=${left} x2=${width} y1=${HEIGHT - FOOT - height(value)} y2=${HEIGHT - FOOT - height(value)} />
        <text class="scale" x=${left - GAP} y=${HEIGHT - FOOT - height(value) + 4}>${value.toLocaleString()}</text>
      </g>`)}
      <line class="floor" x1=${left} x2=${width} y1=${HEIGHT - FOOT} y2=${HEIGHT - FOOT} />
      ${bars.map((bar, place) => html`<g
        key=${bar.label}
        class=${pointed === place ? "bar-group pointed" : "bar-group"}
        onMouseEnter=${() => point(place)}
      >
        <rect class="hit-area" x=${left + place * step} y="0" width=${step} height=${HEIGHT - FOOT} />
        <rect
          class="column-bar"
          x=${left + place * step + step * 0.15}
          y=${HEIGHT - FOOT - height(bar.value)}
          width=${step * 0.7}
          height=${height(bar.value)}
          rx=${Math.min(4, step * 0.2)}
        />
        ${bar.short && html`<text
          class=${place === bars.length - 1 && bars.length > 7 ? "axis last" : "axis"}
          x=${place === bars.length - 1 && bars.length > 7 ? width : left + place * step + step / 2}
          y=${HEIGHT - 6}
        >${bar.short}</text>`}
      </g>`)}
    </svg>
    <${Table} bars=${bars} first=${first} second=${second} />
  </figure>`;
}

/** @param {{ title: string, bars: Bar[], first: string, second: string }} props */
export function Rows({ title, bars, first, second }) {
  const largest = Math.max(1, ...bars.map((bar) => bar.value));
  const whole = bars.reduce((sum, bar) => sum + bar.value, 0);
  return html`<figure class="plot">
    <figcaption><h2>${title}</h2></figcaption>
    ${bars.length === 0 && html`<p class="quiet">${say("none")}</p>`}
    <div class="rows" role="img" aria-label=${summary(title, bars)}>
      ${bars.map((bar) => html`<div class="row" key=${bar.label} title=${`${bar.label}: ${bar.value.toLocaleString()} (${Math.round((100 * bar.value) / Math.max(1, whole))}%)`}>
        <span class="row-name">${bar.label}</span>
        <svg class="row-bar" viewBox="0 0 100 8" preserveAspectRatio="none"><rect width=${(100 * bar.value) / largest} height="8" rx="1.500" /></svg>
        <span class="row-value">${bar.value.toLocaleString()}</span>
      </div>`)}
    </div>
    ${bars.length > 0 && html`<${Table} bars=${bars} first=${first} second=${second} />`}
  </figure>`;
}

/**
 * @param {string} title
 * @param {Bar[]} bars
 */
function summary(title, bars) {
  const largest = bars.reduce((best, bar) => (bar.value > best.value ? bar : best), { label: "", value: 0 });
  return largest.value > 0 ? `${title}. ${largest.label}: ${largest.value}` : title;
}

/** @param {{ bars: Bar[], first: string, second: string }} props */
function Table({ bars, first, second }) {
  return html`<details class="as-table">
    <summary>${say("table")}</summary>
    <div class="table-frame" tabindex="0" role="region" aria-label=${say("table")}>
      <table>
        <thead><tr><th scope="col">${first}</th><th scope="col">${second}</th></tr></thead>
        <tbody>${bars.map((bar) => html`<tr key=${bar.label}><th scope="row">${bar.label}</th><td>${bar.value.toLocaleString()}</td></tr>`)}</tbody>
      </table>
    </div>
  </details>`;
}
