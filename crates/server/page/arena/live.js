// @ts-check
// The games under way, as a socket tells of their changes.

import { openLive } from "../base/backend.js";

/** @import { LiveBoard, LiveChange, LiveView } from "../../types/api" */

/** @param {(live: LiveView) => void} tell */
export function createLive(tell) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** By number. @type {Map<number, LiveBoard>} */
  const boards = new Map();
  /** @type {Pick<LiveView, "testing" | "queue">} */
  let programs = { testing: [], queue: [] };
  let ended = false;

  /** @param {LiveChange} change */
  function apply(change) {
    for (const number of change.ended) boards.delete(number);
    for (const board of change.boards) boards.set(board.game, board);
    programs = { testing: change.testing ?? programs.testing, queue: change.queue ?? programs.queue };
    if (change.ended.length > 0 || change.testing !== null) ended = true;
    tell({ boards: [...boards.values()].sort((a, b) => a.game - b.game), ...programs });
  }

  function open() {
    const opened = openLive();
    if (opened === null) return;
    socket = opened;
    boards.clear();
    programs = { testing: [], queue: [] };
    opened.addEventListener("message", ({ data }) => {
      if (socket === opened) apply(JSON.parse(data));
    });
    opened.addEventListener("close", () => {
      if (socket === opened) socket = null;
    });
  }

  return {
    /** Watches, or no longer; a socket that was lost is opened anew. @param {boolean} isWanted */
    watch(isWanted) {
      if (isWanted && socket === null) open();
      if (isWanted || socket === null) return;
      const old = socket;
      socket = null;
      old.close();
    },
    /** Whether changes come by themselves. */
    isOpen: () => socket?.readyState === WebSocket.OPEN,
    /** Whether something has ended since this was asked last. */
    hasEnded() {
      const has = ended;
      ended = false;
      return has;
    },
  };
}
