/** What the page has to tell beside the conversation. */
import { html } from "htm/preact";
import { look } from "../actions/starting.js";
import { about, connection, dismiss, toasts } from "../state/shell.js";
import { welcomeDismissed } from "../state/settings.js";
import { say } from "../text/say.js";
import { IconButton } from "./buttons.js";

export function Notices() {
  if (connection.value !== "online") {
    return html`<div class="notice strong" role="alert">
      <p>${say(connection.value)}</p>
      <button type="button" class="text-button" onClick=${() => void look()}>${say("retry")}</button>
    </div>`;
  }
  if (about.value && about.value.model === null && welcomeDismissed.value === "shown") {
    return html`<div class="notice" role="note">
      <p>${say("no_model")} <span class="quiet">${say("no_model_more")}</span></p>
      <${IconButton} icon="close" label=${say("dismiss")} onClick=${() => (welcomeDismissed.value = "hidden")} />
    </div>`;
  }
  return null;
}

export function Toasts() {
  return html`<div class="toasts" role="status" aria-live="polite">
    ${toasts.value.map(
      (toast) => html`<div class="toast" key=${toast.id}>
        <span>${toast.text}</span>
        ${toast.action &&
        html`<button
          type="button"
          onClick=${() => {
            toast.action?.run();
            dismiss(toast.id);
          }}
        >${toast.action.label}</button>`}
      </div>`,
    )}
  </div>`;
}
