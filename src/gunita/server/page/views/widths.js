/** How wide the window is, as styles/layout.css counts it, and showing the sidebar in it. */
import { drawer, sidebarOpenOnPhone } from "../state/shell.js";
import { sidebarHidden } from "../state/settings.js";

const PHONE = "(max-width: 760px)";
const NARROW = "(max-width: 1180px)";

export function onPhone() {
  return matchMedia(PHONE).matches;
}

/** Leaves what covers the thread, so that a jump in it can be seen. */
export function uncoverThread() {
  if (onPhone()) drawer.value = null;
}

export function showSidebar() {
  if (onPhone()) sidebarOpenOnPhone.value = true;
  else {
    sidebarHidden.value = "shown";
    // There is no room for both.
    if (matchMedia(NARROW).matches) drawer.value = null;
  }
}

export function toggleSidebar() {
  if (onPhone()) sidebarOpenOnPhone.value = !sidebarOpenOnPhone.value;
  else if (isSidebarShown()) sidebarHidden.value = "hidden";
  else showSidebar();
}

function isSidebarShown() {
  return sidebarHidden.value === "shown" && !(drawer.value && matchMedia(NARROW).matches);
}
