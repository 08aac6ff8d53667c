/** Starting the page: who is asking, where it was, and staying up to date. */
import { actAs, ApiError, request } from "../api.js";
import { currentId, found, listed, loaded, searchText, unread, withMember } from "../state/conversations.js";
import { loaded as memoriesLoaded, memories } from "../state/memories.js";
import {
  about,
  connection,
  drawer,
  moveTo,
  route,
  routeOf,
  sidebarOpenOnPhone,
  signInNeeded,
  signInRefused,
} from "../state/shell.js";
import { actingAs, secret } from "../state/settings.js";
import { NOTHING, thread } from "../state/thread.js";
import { deleteWhatWaits, loadList } from "./listing.js";
import { loadInsights } from "./looking.js";
import { open, refresh } from "./reading.js";
import { listenToTabs } from "./tabs.js";

const LOOK_EVERY = 20_000;

export async function start() {
  route.value = routeOf(location.hash);
  actAs({
    secret: () => secret.value,
    userId: () => (about.value?.user_id === null ? actingAs.value : null),
    refused: () => {
      signInNeeded.value = true;
    },
  });
  addEventListener("hashchange", () => {
    sidebarOpenOnPhone.value = false;
    void followAddress();
  });
  addEventListener("pagehide", deleteWhatWaits);
  document.addEventListener("visibilitychange", () => void (document.hidden || lookAgain()));
  setInterval(() => void (document.hidden || lookAgain()), LOOK_EVERY);
  listenToTabs({ turn: (id) => void Promise.all([refresh(id), quietly(loadList)]), list: () => void quietly(loadList) });
  await begin();
}

/** Learns who is asking, then shows what they have. */
export async function begin() {
  try {
    about.value = await request("GET", "/api/about");
    signInNeeded.value = false;
    await Promise.all([loadList(), followAddress()]);
    await look();
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    if (problem.status !== 401) connection.value = "unreachable";
  }
}

/** @param {string} given an API key or a token */
export async function signIn(given) {
  secret.value = given.trim();
  signInRefused.value = false;
  await begin();
  signInRefused.value = signInNeeded.value;
  if (signInNeeded.value) secret.value = null;
}

export async function signOut() {
  secret.value = null;
  forgetEverything();
  await begin();
}

/** @param {string} userId */
export async function actFor(userId) {
  actingAs.value = userId.trim() || "anonymous";
  forgetEverything();
  moveTo("#/");
  await begin();
}

function forgetEverything() {
  listed.value = [];
  loaded.value = false;
  found.value = null;
  searchText.value = "";
  memories.value = [];
  memoriesLoaded.value = false;
  thread.value = NOTHING;
  drawer.value = null;
}

async function followAddress() {
  route.value = routeOf(location.hash);
  if (route.value.view === "insights") await loadInsights();
  else await open(route.value.id, route.value.turn);
}

async function lookAgain() {
  if (signInNeeded.value) return;
  if (about.value === null) return begin();
  // What came while nobody looked is read by whoever comes back to it.
  if (currentId.value) unread.value = withMember(unread.value, currentId.value, false);
  await Promise.all([look(), quietly(loadList), currentId.value && refresh(currentId.value)]);
}

/** Asks whether the service can work as it should. */
export async function look() {
  try {
    const { status, model } = await request("GET", "/readyz");
    connection.value = status === "degraded" ? "degraded" : "online";
    if (about.value && about.value.model !== model) about.value = { ...about.value, model };
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    connection.value = problem.status === 0 ? "unreachable" : "unkept";
  }
}

/** @param {() => Promise<void>} work what may fail now and succeed the next time */
async function quietly(work) {
  await work().catch((problem) => {
    if (!(problem instanceof ApiError)) throw problem;
  });
}
