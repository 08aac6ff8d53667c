/** The page's first line: shows it, then starts it. */
import { html, render } from "htm/preact";
import { start } from "./actions/starting.js";
import { App } from "./views/app.js";

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("page")));
void start();
