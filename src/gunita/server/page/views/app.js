/** The whole page: conversations at the left, the one that is open in the middle, what is looked into at the right. */
import { html } from "htm/preact";
import { effect } from "@preact/signals";
import { current } from "../state/conversations.js";
import { announcement, drawer, route, sidebarOpenOnPhone, signInNeeded } from "../state/shell.js";
import { language, sidebarHidden, theme } from "../state/settings.js";
import { say } from "../text/say.js";
import { Composer } from "./composer.js";
import { Header } from "./header.js";
import { Help, SignIn } from "./dialogs.js";
import { Insights } from "./insights.js";
import { MemoryPanel } from "./memories.js";
import { Notices, Toasts } from "./notices.js";
import { ReceiptPanel } from "./receipt.js";
import { Sidebar } from "./sidebar.js";
import { Thread } from "./thread.js";
import { useKeys } from "./keys.js";

effect(() => {
  if (!globalThis.document) return;
  document.documentElement.lang = language.value;
  document.documentElement.dataset.theme = theme.value;
  document.title = current.value?.title ? `${current.value.title} · Gunita` : "Gunita";
});

export function App() {
  useKeys();
  if (signInNeeded.value) return html`<${SignIn} />`;
  return html`<div
    class="shell"
    data-sidebar=${sidebarHidden.value}
    data-phone-sidebar=${sidebarOpenOnPhone.value ? "open" : "closed"}
    data-drawer=${drawer.value ? "open" : "closed"}
  >
    <a class="skip" href="#composer" onClick=${toComposer}>${say("skip")}</a>
    <${Sidebar} />
    <div class="veil" onClick=${() => (sidebarOpenOnPhone.value = false)}></div>
    <main class="main">
      ${route.value.view === "insights"
        ? html`<${Insights} />`
        : html`<${Header} /><${Notices} /><${Thread} /><${Composer} />`}
    </main>
    ${drawer.value?.kind === "memories" && html`<${MemoryPanel} />`}
    ${drawer.value?.kind === "receipt" && html`<${ReceiptPanel} />`}
    <${Toasts} />
    <${Help} />
    <div class="unseen" role="status" aria-live="polite">${announcement.value}</div>
  </div>`;
}

/** @param {MouseEvent} event */
function toComposer(event) {
  event.preventDefault();
  document.getElementById("composer")?.focus();
}
