// @ts-check
// What the server is asked. The rules live there: a game goes out as text and comes back with all that a board shows.

/**
 * @typedef {{ variant: string, size: number, start: string, moves: string }} GameText
 * @typedef {{ move: string, flips: string[] }} LegalMove
 * @typedef {{ position: string, side: "black" | "white", black: number, white: number, legal: LegalMove[],
 *   pass: boolean, over: boolean }} PositionView
 * @typedef {{ winner: "black" | "white" | null, margin: number }} Outcome
 * @typedef {{ variant: string, size: number, positions: PositionView[], moves: string[], transcript: string,
 *   outcome: Outcome | null }} GameView
 * @typedef {{ move: string, score: number | null, depth: number, exact: boolean, nodes: number, seconds: number,
 *   line: string }} Chosen
 * @typedef {{ name: string, about: string, variants: string[], sizes: number[],
 *   options: { key: string, value: string, about: string }[] }} PlayerView
 */

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 */
async function ask(method, path, body, signal) {
  const response = await fetch(`/api/${path}`, {
    method,
    signal,
    headers: body === undefined ? {} : { "Content-Type": "application/json" },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** @returns {Promise<PlayerView[]>} */
export const players = () => ask("GET", "players");

/** @param {GameText} game @returns {Promise<GameView>} */
export const readGame = (game) => ask("POST", "game", game);

/**
 * @param {GameText} game
 * @param {string} player
 * @param {number} seed
 * @param {AbortSignal} [signal]
 * @returns {Promise<Chosen>}
 */
export const chooseMove = (game, player, seed, signal) =>
  ask("POST", "move", { game, player, seed }, signal);

/**
 * Keeps a game: a new one without a number, and gives the number.
 * @param {number | null} id
 * @param {{ game: GameText, black: string, white: string, loser: string | null }} kept
 * @returns {Promise<number>}
 */
export async function keepGame(id, kept) {
  if (id === null) return (await ask("POST", "games", kept)).id;
  await ask("PUT", `games/${id}`, kept);
  return id;
}

/**
 * @param {number} id
 * @returns {Promise<GameText & { id: number, black: string, white: string, loser: "black" | "white" | null }>}
 */
export const keptGame = (id) => ask("GET", `games/${id}`);
