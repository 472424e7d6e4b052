// @ts-check
// A socket for analysis: answers deepen, and a new question ends the previous one.

import { openSocket } from "../base/backend.js";

/**
 * @typedef {import("../base/client.js").GameText} GameText
 * @import { AnalysisAnswer } from "../../types/api"
 */

/** Milliseconds without a change before a question is sent: stepping through a game asks only where one stops. */
const REST = 60;
/** Milliseconds in which answers are put together: the first depths come faster than they can be read. */
const TOGETHER = 40;

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
  /** Answers that wait to be told. @type {AnalysisAnswer[]} */
  const waiting = [];
  let telling = 0;

  /** Tells what has come, and at once only if nothing was told lately. */
  function tell() {
    const come = waiting.splice(0).filter((answer) => answer.id === id);
    telling = come.length > 0 ? setTimeout(tell, TOGETHER) : 0;
    come.forEach(onAnswer);
  }

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
      waiting.push(JSON.parse(event.data));
      if (telling === 0) tell();
    });
    opened.addEventListener("close", () => {
      if (socket !== opened) return;
      tell();
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
