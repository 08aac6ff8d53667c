/** Small line drawings; each says nothing by itself, so what it stands beside or on is named. */
import { html } from "htm/preact";

const LINES = {
  archive: "M4 7h16M5 7v12h14V7M4 4h16v3H4zM10 11h4",
  chart: "M5 19V11M12 19V5M19 19v-6",
  check: "M5 12.5l4.5 4.5L19 7",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M9 9h10v11H9zM5 15V4h10",
  down: "M12 5v14M6 13l6 6 6-6",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  edit: "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
  help: "M9 9a3 3 0 1 1 4 2.8c-.8.4-1 1-1 2.2M12 17.5v.5",
  history: "M4 12a8 8 0 1 0 2.5-5.8M4 4v4h4M12 8v4.5l3 2",
  jump: "M9 14l-5-5 5-5M4 9h9a6 6 0 0 1 6 6v5",
  layers: "M12 3l9 5-9 5-9-5zM3 13l9 5 9-5",
  memory: "M7 4h10v16l-5-4.200L7 20zM10 8.500h4",
  menu: "M4 7h16M4 12h16M4 17h10",
  more: "M5 12a.8.8 0 1 0 1.600 0 .8.8 0 1 0-1.600 0M11.200 12a.8.8 0 1 0 1.600 0 .8.8 0 1 0-1.600 0M17.400 12a.8.8 0 1 0 1.600 0 .8.8 0 1 0-1.600 0",
  new: "M12 5v14M5 12h14",
  pin: "M9 4h6l-1 6 3 3v2H7v-2l3-3zM12 15v6",
  retry: "M20 12a8 8 0 1 1-2.5-5.8M20 4v4h-4",
  search: "M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16.500 16.500L21 21",
  send: "M12 19V5M6 11l6-6 6 6",
  settings: "M4 8h9M17 8h3M4 16h3M11 16h9M15 5.500v5M9 13.500v5",
  spark: "M12 3l1.800 5.700L19.500 10.500l-5.700 1.800L12 18l-1.800-5.700L4.500 10.500l5.700-1.800zM19 17v4M17 19h4",
  stop: "M8 8h8v8H8z",
  time: "M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 8v4.500l3 1.500",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
};

/** @typedef {keyof typeof LINES} IconName */

/** @param {{ name: IconName }} props */
export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${LINES[name]} /></svg>`;
}

/** The mark of the house: a thread that loops back to its knot. */
export function Mark() {
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path
      d="M16 3v6.500a6.500 6.500 0 1 1-6.500 6.500c0-2.600 2-4.400 4.300-4.400 3.600 0 5.200 3.400 3.600 6.600C16 21 16 24 16 29"
    />
    <circle cx="16" cy="9.500" r="2.600" />
  </svg>`;
}
