/** What tabs of one browser tell each other, so that two on one conversation show the same. */

/** @type {BroadcastChannel | null} */
let channel = null;

/** @param {string} conversationId a turn began or ended there */
export function announceTurn(conversationId) {
  channel?.postMessage({ kind: "turn", conversationId });
}

/** Something changed in the list of conversations. */
export function announceList() {
  channel?.postMessage({ kind: "list" });
}

/** @param {{ turn: (conversationId: string) => void, list: () => void }} heard */
export function listenToTabs(heard) {
  channel = new BroadcastChannel("gunita");
  channel.addEventListener("message", ({ data }) => {
    if (data.kind === "turn") heard.turn(data.conversationId);
    else heard.list();
  });
}
