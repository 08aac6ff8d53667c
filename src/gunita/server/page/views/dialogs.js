/** What stands in front of everything: help, and signing in. */
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { signIn } from "../actions/starting.js";
import { helpOpen, signInRefused } from "../state/shell.js";
import { say } from "../text/say.js";
import { IconButton } from "./buttons.js";
import { Mark } from "./icons.js";
import { SHORTCUTS } from "./keys.js";

export function Help() {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    if (helpOpen.value) dialog.current?.showModal();
    else dialog.current?.close();
  }, [helpOpen.value]);
  return html`<dialog ref=${dialog} aria-labelledby="help-title" onClose=${() => (helpOpen.value = false)}>
    <div class="dialog-head">
      <h2 id="help-title">${say("keyboard")}</h2>
      <${IconButton} icon="close" label=${say("close")} onClick=${() => (helpOpen.value = false)} />
    </div>
    <dl class="shortcuts">
      ${SHORTCUTS.map(
        ({ keys, words }) => html`<div key=${words}>
          <dt>${keys.map((key) => html`<kbd>${key}</kbd>`)}</dt>
          <dd>${say(/** @type {any} */ (words))}</dd>
        </div>`,
      )}
    </dl>
    <h2>${say("ways")}</h2>
    <ul class="sayings">
      <li>“the first one”, “yung una”, “pangatlo”</li>
      <li>“two questions ago”, “yung huli”, “kanina”</li>
      <li>“yung tungkol sa bayad”, “the visa question”</li>
    </ul>
  </dialog>`;
}

export function SignIn() {
  const [waiting, setWaiting] = useState(false);
  /** @param {SubmitEvent} event */
  const submitted = async (event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("secret");
    if (typeof given !== "string" || !given.trim()) return;
    setWaiting(true);
    await signIn(given);
    setWaiting(false);
  };
  return html`<main class="sign-in">
    <form onSubmit=${submitted}>
      <${Mark} />
      <h1>${say("sign_in")}</h1>
      <p>${say("sign_in_text")}</p>
      <label class="field">
        <span>${say("secret")}</span>
        <input name="secret" type="password" autocomplete="off" spellcheck="false" required autofocus />
      </label>
      ${signInRefused.value && html`<p class="problem" role="alert">${say("sign_in_failed")}</p>`}
      <button type="submit" class="primary-button" disabled=${waiting}>${say("sign_in")}</button>
    </form>
  </main>`;
}
