// @ts-check
// A socket on which the server thinks aloud. A new question ends the one before; a socket that was lost is opened again.

/**
 * @typedef {import("../base/client.js").GameText} GameText
 * @typedef {import("../base/client.js").Chosen} Chosen
 * @typedef {import("../base/client.js").Judged} Judged
 * @typedef {{ id: number, depth?: number, moves?: Chosen[], judged?: Judged, done?: boolean, error?: string }} Answer
 */

/** How long to wait before a lost socket is opened again. */
const AGAIN = 1500;
/** A question is asked when nothing changed for so long: who steps through a game asks only where he rests. */
const REST = 60;

/** @param {(answer: Answer) => void} onAnswer */
export function createThinker(onAnswer) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {object | null} */
  let question = null;
  let id = 0;
  let timer = 0;

  function send() {
    if (question === null) return;
    if (socket === null) open();
    else if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(question));
  }

  function open() {
    const opened = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/api/analyze`);
    socket = opened;
    opened.addEventListener("open", send);
    opened.addEventListener("message", (event) => {
      /** @type {Answer} */
      const answer = JSON.parse(event.data);
      if (answer.id === id) onAnswer(answer);
    });
    opened.addEventListener("close", () => {
      if (socket !== opened) return;
      socket = null;
      if (question !== null) setTimeout(send, AGAIN);
    });
  }

  return {
    /** @param {GameText} game @param {boolean} whole */
    ask(game, whole) {
      question = { id: ++id, game, whole };
      clearTimeout(timer);
      timer = setTimeout(send, REST);
    },
    /** Ends the thinking. */
    stop() {
      question = null;
      id++;
      clearTimeout(timer);
      const old = socket;
      socket = null;
      old?.close();
    },
  };
}
