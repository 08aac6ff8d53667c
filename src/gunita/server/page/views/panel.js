/** The frame of what opens at the right. */
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { drawer } from "../state/shell.js";
import { highlighted } from "../state/thread.js";
import { say } from "../text/say.js";
import { IconButton } from "./buttons.js";

/** @param {{ title: string, children: unknown }} props */
export function Panel({ title, children }) {
  const head = useRef(/** @type {HTMLHeadingElement | null} */ (null));
  useEffect(() => {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    const panel = head.current?.closest(".drawer");
    head.current?.focus();
    return () => {
      const now = document.activeElement;
      // Somebody who went on to something else stays there, and who jumps to a turn arrives there.
      if (highlighted.peek() !== null) return;
      if (now === null || now === document.body || panel?.contains(now)) before?.focus();
    };
  }, []);
  return html`<aside class="drawer" aria-labelledby="drawer-title">
    <div class="drawer-head">
      <h2 id="drawer-title" tabindex="-1" ref=${head}>${title}</h2>
      <${IconButton} icon="close" label=${say("close")} onClick=${() => (drawer.value = null)} />
    </div>
    <div class="drawer-body">${children}</div>
  </aside>`;
}
