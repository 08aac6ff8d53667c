/** Settings of this browser: language, theme, and who is talking. */
import { html } from "htm/preact";
import { actFor, signOut } from "../actions/starting.js";
import { about } from "../state/shell.js";
import { actingAs, languageChoice, secret, theme } from "../state/settings.js";
import { say } from "../text/say.js";
import { Menu } from "./buttons.js";

export function Settings() {
  return html`<${Menu} icon="settings" label=${say("settings")} class="upwards">
    <${Choice}
      label=${say("theme")}
      value=${theme.value}
      options=${[["auto", say("theme_auto")], ["light", say("light")], ["dark", say("dark")]]}
      onChoose=${(/** @type {any} */ value) => (theme.value = value)}
    />
    <${Choice}
      label=${say("language")}
      value=${languageChoice.value}
      options=${[["auto", say("language_auto")], ["en", "English"], ["fil", "Filipino"]]}
      onChoose=${(/** @type {any} */ value) => (languageChoice.value = value)}
    />
    ${about.value?.user_id === null &&
    html`<label class="field">
      <span>${say("user")}</span>
      <input
        value=${actingAs.value}
        maxlength="255"
        onChange=${(/** @type {Event} */ event) => void actFor(/** @type {HTMLInputElement} */ (event.target).value)}
      />
    </label>`}
    ${secret.value !== null &&
    html`<button type="button" class="text-button wide" data-chooses onClick=${() => void signOut()}>
      ${say("sign_out")}
    </button>`}
    <p class="quiet small">Gunita ${about.value?.version ?? ""}${about.value?.model ? ` · ${about.value.model}` : ""}</p>
  </${Menu}>`;
}

/**
 * @param {{ label: string, value: string, options: [string, string][], onChoose: (value: string) => void }} props
 */
function Choice({ label, value, options, onChoose }) {
  return html`<label class="field">
    <span>${label}</span>
    <select
      value=${value}
      onChange=${(/** @type {Event} */ event) => onChoose(/** @type {HTMLSelectElement} */ (event.target).value)}
    >
      ${options.map(([name, text]) => html`<option value=${name} selected=${name === value}>${text}</option>`)}
    </select>
  </label>`;
}
