// @ts-check
// A game that is played here: what it is, and what can be told from that alone.

/**
 * @typedef {import("../../types/api").GameView} GameView
 * @typedef {import("../../types/api").Side} Side
 * @typedef {import("./clock.js").Clock} Clock
 * @typedef {{ variant: string, size: number, black: string, white: string, control: string, start?: string }} Choice
 * @typedef {Choice & {
 *   id: number | null,
 *   start: string,
 *   game: GameView | null,
 *   viewed: number | null,
 *   undone: string[],
 *   loser: Side | null,
 *   timeout: boolean,
 *   clock: Clock | null,
 *   turns: import("./clock.js").Times[],
 *   thinking: boolean,
 *   hint: string | null,
 *   reason: import("./advice.js").Reason | null,
 *   error: import("../base/client.js").Fault | null,
 *   gone: boolean,
 *   taken: boolean,
 *   seed: number,
 * }} Play
 *
 * `id` is the game's number among those that are kept. `viewed` is how many moves lead to the position that is looked
 * at, if it is an earlier one. `turns` is what each side had left when each turn began, by the moves made before it.
 * `taken` says that the game is being continued elsewhere. `reason` is why the hint is a good move.
 */

export const HUMAN = "human";
/** Who plays unless somebody else is chosen. */
export const USUAL = "turncoat:level=3";

/** @returns {Play} */
export const firstPlay = () => ({
  variant: "reversed",
  size: 8,
  black: HUMAN,
  white: USUAL,
  control: "none",
  id: null,
  start: "start",
  game: null,
  viewed: null,
  undone: [],
  loser: null,
  timeout: false,
  clock: null,
  turns: [],
  thinking: false,
  hint: null,
  reason: null,
  error: null,
  gone: false,
  taken: false,
  seed: 0,
});

/** The position that the game has come to. @param {Readonly<Play>} state */
export const position = (state) => state.game?.positions.at(-1) ?? null;

/** The position that is looked at. @param {Readonly<Play>} state */
export const shownPosition = (state) => state.game?.positions.at(state.viewed ?? -1) ?? null;

/** @param {Readonly<Play>} state */
export const isOver = (state) => state.loser !== null || (position(state)?.over ?? false);

/** Whether a person is to move. @param {Readonly<Play>} state */
export function isPersonsTurn(state) {
  const now = position(state);
  return now !== null && !now.pass && !isOver(state) && !state.taken && state[now.side] === HUMAN;
}

/** Whether a person is to move after so many moves. @param {Readonly<Play>} state @param {GameView} game @param {number} made */
export function isPersonsPlace(state, game, made) {
  const place = game.positions[made];
  return !place.over && !place.pass && state[place.side] === HUMAN;
}

/** How many moves to keep so that a person is to move again; none if there is no such place. @param {Readonly<Play>} state */
export function lastTurnOfPerson(state) {
  const { game } = state;
  for (let made = (game?.moves.length ?? 0) - 1; made >= 0; made--) {
    if (game && isPersonsPlace(state, game, made)) return made;
  }
  return null;
}

/** Whether something can be taken back. @param {Readonly<Play>} state */
export const canUndo = (state) => !state.taken && (state.loser !== null || lastTurnOfPerson(state) !== null);

/** The number of each move; passes have none. @param {string[]} moves */
export function numbersOf(moves) {
  let number = 0;
  return moves.map((move) => (move === "pass" ? null : ++number));
}
