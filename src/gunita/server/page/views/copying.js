/** Copying, where the browser allows it: a page that came without TLS from another machine has no clipboard. */
import { tell } from "../state/shell.js";
import { say } from "../text/say.js";

/** @param {string} text */
export async function copy(text) {
  const done = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (done) tell(say("copied"), null, 1500);
  else tell(say("copy_failed"));
}
