/** Buttons and small menus that are the same everywhere. */
/** @import { IconName } from "./icons.js" */
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icons.js";

/**
 * @param {{ icon: IconName, label: string, onClick: (event: MouseEvent) => void, pressed?: boolean, class?: string,
 *   disabled?: boolean, expanded?: boolean }} props
 */
export function IconButton({ icon, label, onClick, pressed, class: name = "", disabled, expanded }) {
  return html`<button
    type="button"
    class=${`icon-button ${name}`}
    aria-label=${label}
    title=${label}
    aria-pressed=${pressed}
    aria-expanded=${expanded}
    disabled=${disabled}
    onClick=${onClick}
  ><${Icon} name=${icon} /></button>`;
}

/**
 * A menu that opens below its button, and closes by a click elsewhere, by Escape, or when something was chosen.
 * @param {{ icon: IconName, label: string, class?: string, text?: string, children: unknown }} props
 */
export function Menu({ icon, label, class: name = "", text, children }) {
  const menu = useRef(/** @type {HTMLDetailsElement | null} */ (null));
  useEffect(() => {
    /** @param {Event} event */
    const elsewhere = (event) => {
      if (!menu.current?.contains(/** @type {Node} */ (event.target))) menu.current?.removeAttribute("open");
    };
    document.addEventListener("pointerdown", elsewhere);
    return () => document.removeEventListener("pointerdown", elsewhere);
  }, []);
  /** @param {KeyboardEvent} event */
  const closed = (event) => {
    if (event.key !== "Escape" || !menu.current?.open) return;
    event.stopPropagation();
    menu.current.open = false;
    menu.current.querySelector("summary")?.focus();
  };
  const shown = () => {
    const box = menu.current;
    if (box?.open) box.dataset.side = fitsBelow(box) ? "below" : "above";
  };
  /** @param {MouseEvent} event */
  const chosen = (event) => {
    if (/** @type {Element} */ (event.target).closest("[data-chooses]")) menu.current?.removeAttribute("open");
  };
  return html`<details class=${`menu ${name}`} ref=${menu} onKeyDown=${closed} onToggle=${shown}>
    <summary class=${text ? "text-button" : "icon-button"} aria-label=${text ? undefined : label} title=${label}>
      <${Icon} name=${icon} />${text && html`<span>${text}</span>`}
    </summary>
    <div class="menu-body" onClick=${chosen}>${children}</div>
  </details>`;
}

/**
 * Tells whether an open menu can be seen whole below its button, in what scrolls around it or in the window.
 * @param {HTMLDetailsElement} box
 */
function fitsBelow(box) {
  const around = box.closest(".thread")?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
  const button = box.getBoundingClientRect();
  const height = /** @type {HTMLElement} */ (box.lastElementChild).offsetHeight;
  return button.bottom + height + 12 <= around.bottom || button.top - height - 12 < around.top;
}

/** @param {{ parts: { text: string, match: boolean }[] }} props */
export function Snippet({ parts }) {
  return html`${parts.map((part) => (part.match ? html`<mark>${part.text}</mark>` : part.text))}`;
}
