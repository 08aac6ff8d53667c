/** Insights: what the conversations tell taken together. */
/** @import { Counted, Insights as Told } from "../types" */
import { html } from "htm/preact";
import { loadInsights } from "../actions/looking.js";
import { days, insights, insightsState } from "../state/looking.js";
import { language } from "../state/settings.js";
import { percent, say, sayOne } from "../text/say.js";
import { largestUnit, locale } from "../times.js";
import { SidebarButton } from "./header.js";
import { Columns, Rows } from "./plots.js";
import { onPhone } from "./widths.js";

export function Insights() {
  return html`
    <header class="header">
      <${SidebarButton} />
      <div class="title-place"><h1 class="title title-plain">${say("insights")}</h1></div>
      <label class="days-choice">
        <span class="unseen">${say("days")}</span>
        <select value=${String(days.value)} onChange=${choose}>
          ${[7, 30, 90, 365].map((count) => html`<option value=${count} selected=${count === days.value}>${say("in_days", { count })}</option>`)}
        </select>
      </label>
    </header>
    <div class="insights" tabindex="0" role="region" aria-label=${say("insights")}>
      ${insightsState.value === "loading" && html`<p class="quiet">${say("loading")}</p>`}
      ${insightsState.value === "failed" && html`<p class="problem">${say("unreachable")}</p>`}
      ${insights.value && html`<${Plots} told=${insights.value} />`}
    </div>`;
}

/** @param {Event} event */
function choose(event) {
  days.value = Number(/** @type {HTMLSelectElement} */ (event.target).value);
  void loadInsights();
}

/** @param {{ told: Told }} props */
function Plots({ told }) {
  if (told.answers_read === 0) return html`<p class="quiet center">${say("insights_empty")}</p>`;
  const small = onPhone();
  const sizes = told.sizes.map((size) => ({ label: sizeName(size), short: sizeName(size), value: size.conversations }));
  return html`
    <p class="quiet">${say("insights_text", { count: told.answers_read.toLocaleString() })}</p>
    <${Numbers} told=${told} />
    <div class="plots">
      <div class="wide"><${Columns} width=${small ? "phone" : "wide"} title=${say("insights_activity")} bars=${dayBars(told.days, small ? 4 : 8)} first=${say("insights_activity_table")} second=${say("turns")} /></div>
      <${Columns} width=${small ? "phone" : "half"} title=${say("insights_sizes")} bars=${sizes} first=${say("turns")} second=${say("conversations")} />
      <${Rows} title=${say("insights_kinds")} bars=${named("kind", told.reference_kinds)} first=${say("type")} second=${say("turns")} />
      <${Rows} title=${say("insights_topics")} bars=${told.topics.map(({ name, count }) => ({ label: name, value: count }))} first=${say("insights_topics")} second=${say("turns")} />
      <${Rows} title=${say("insights_intents")} bars=${named("intent", told.intents)} first=${say("type")} second=${say("turns")} />
    </div>`;
}

/** @param {{ told: Told }} props */
function Numbers({ told }) {
  const { unit, count } = largestUnit(told.retention_hours);
  const rate = told.clarification_rate === null ? "–" : percent(told.clarification_rate);
  return html`<dl class="numbers" aria-label=${say("insights_kept")}>
    <${Figure} value=${told.counts.conversations.toLocaleString()} name=${say("storage_conversations")} />
    <${Figure} value=${told.counts.turns.toLocaleString()} name=${say("storage_turns")} />
    <${Figure} value=${told.counts.memories.toLocaleString()} name=${say("storage_memories")} />
    <${Figure} value=${told.characters.toLocaleString()} name=${say("storage_characters")} />
    <${Figure} value=${say(`in_${unit}`, { count })} name=${say("storage_retention")} />
    <${Figure} value=${rate} name=${say("insights_clarification_more")} />
  </dl>`;
}

/** @param {{ value: string, name: string }} props */
function Figure({ value, name }) {
  return html`<div class="number"><dt>${name}</dt><dd>${value}</dd></div>`;
}

/**
 * @param {Told["days"]} told
 * @param {number} labels
 */
function dayBars(told, labels) {
  const every = Math.ceil(told.length / labels);
  return told.map(({ day, turns }, place) => {
    const date = new Date(`${day}T12:00:00`);
    const label = date.toLocaleDateString(locale(language.value), { day: "numeric", month: "short" });
    return { label, value: turns, short: (told.length - 1 - place) % every === 0 ? label : "" };
  });
}

/** @param {Told["sizes"][number]} size */
function sizeName({ least, most }) {
  return most === null ? `${least}+` : most === least ? String(least) : `${least}–${most}`;
}

/**
 * @param {string} beginning
 * @param {Counted[]} counted
 */
function named(beginning, counted) {
  return counted.map(({ name, count }) => ({ label: sayOne(beginning, name), value: count }));
}
