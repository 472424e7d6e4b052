// @ts-check
// A socket for analysis: answers deepen, and a new question ends the previous one.

import { openSocket } from "../base/backend.js";

/**
 * @typedef {import("../base/client.js").GameText} GameText
 * @import { AnalysisAnswer } from "../../types/api"
 */

/** Milliseconds without a change before a question is sent: stepping through a game asks only where one stops. */
const REST = 60;

/**
 * @param {(answer: AnalysisAnswer) => void} onAnswer
 * @param {() => void} onLost the socket was closed, and the question with it
 */
export function createSocket(onAnswer, onLost) {
  /** @type {ReturnType<typeof openSocket> | null} */
  let socket = null;
  /** @type {object | null} */
  let question = null;
  /** The question that the socket has been sent. @type {object | null} */
  let sent = null;
  let id = 0;
  let timer = 0;

  function send() {
    if (socket === null) return open();
    if (question === null || question === sent || socket.readyState !== WebSocket.OPEN) return;
    sent = question;
    socket.send(JSON.stringify(question));
  }

  function open() {
    const opened = openSocket();
    socket = opened;
    opened.addEventListener("open", send);
    opened.addEventListener("message", (event) => {
      /** @type {AnalysisAnswer} */
      const answer = JSON.parse(event.data);
      if (answer.id === id) onAnswer(answer);
    });
    opened.addEventListener("close", () => {
      if (socket !== opened) return;
      stop();
      onLost();
    });
  }

  /** Ends the analysis. */
  function stop() {
    question = sent = null;
    id++;
    clearTimeout(timer);
    const old = socket;
    socket = null;
    old?.close();
  }

  return {
    /** @param {GameText} game @param {boolean} whole @param {string} player @param {number} [threads] all that there are if 0 */
    ask(game, whole, player, threads = 0) {
      question = { id: ++id, game, whole, player, threads: threads || undefined };
      clearTimeout(timer);
      timer = setTimeout(send, REST);
    },
    stop,
  };
}
