// @ts-check
// A game with its branches: a tree of positions that is never changed, only added to. Places are numbers.

/**
 * @typedef {import("../../types/api").PositionView} PositionView
 * @typedef {import("../../types/api").GameView} GameView
 * @typedef {{ move: string, parent: number | null, children: number[], position: PositionView }} Place
 * @typedef {readonly Place[]} Tree
 */

/** @param {PositionView} position @returns {Tree} */
export const newTree = (position) => [{ move: "", parent: null, children: [], position }];

/**
 * The tree with the whole of a game in it, and the place where that game ends.
 * @param {Tree} tree
 * @param {GameView} game
 * @returns {{ tree: Tree, at: number }}
 */
export function withGame(tree, game) {
  const places = [...tree];
  let at = 0;
  game.moves.forEach((move, ply) => {
    const known = places[at].children.find((child) => places[child].move === move);
    if (known !== undefined) {
      at = known;
      return;
    }
    places[at] = { ...places[at], children: [...places[at].children, places.length] };
    places.push({ move, parent: at, children: [], position: game.positions[ply + 1] });
    at = places.length - 1;
  });
  return { tree: places, at };
}

/** The places from the first one to this. @param {Tree} tree @param {number} at @returns {number[]} */
export function wayTo(tree, at) {
  const way = [];
  for (let place = /** @type {number | null} */ (at); place !== null; place = tree[place].parent) way.unshift(place);
  return way;
}

/** The way to a place and on from there by first branches. @param {Tree} tree @param {number} at @returns {number[]} */
export function lineThrough(tree, at) {
  const way = wayTo(tree, at);
  for (let next = tree[at].children[0]; next !== undefined; next = tree[next].children[0]) way.push(next);
  return way;
}

/** The moves along a way. @param {Tree} tree @param {number[]} way */
export const movesOf = (tree, way) => way.slice(1).map((place) => tree[place].move);

/** How many moves have been made at a place; passes are none. @param {Tree} tree @param {number} place */
export const numberOf = (tree, place) => movesOf(tree, wayTo(tree, place)).filter((move) => move !== "pass").length;

/** The name of a place among judged moves: the moves to it. @param {Tree} tree @param {number} place */
export const keyOf = (tree, place) => movesOf(tree, wayTo(tree, place)).join("");

/**
 * The tree as text: moves one after the other, other branches in brackets before the first one goes on.
 * @param {Tree} tree
 */
export function written(tree) {
  /** @param {number} place @returns {string} */
  const from = (place) => {
    const { move } = tree[place];
    return (move === "pass" ? "" : move) + after(place);
  };
  /** @param {number} place @returns {string} */
  const after = (place) => {
    const [first, ...others] = tree[place].children;
    if (first === undefined) return "";
    return others.map((other) => `(${from(other)})`).join("") + from(first);
  };
  return after(0);
}

/** The tree in which the way to a place goes by first branches. @param {Tree} tree @param {number} at @returns {Tree} */
export function promoted(tree, at) {
  const places = [...tree];
  for (let place = at, { parent } = tree[at]; parent !== null; [place, { parent }] = [parent, tree[parent]]) {
    places[parent] = { ...places[parent], children: [place, ...tree[parent].children.filter((child) => child !== place)] };
  }
  return places;
}

/**
 * The tree without a place and all that follows it. Places keep their order, not their numbers.
 * @param {Tree} tree
 * @param {number} gone
 * @returns {{ tree: Tree, at: number }}
 */
export function without(tree, gone) {
  /** @type {Place[]} */
  const places = [];
  /** @param {number} old @param {number | null} parent */
  const copy = (old, parent) => {
    const here = places.length;
    const place = { ...tree[old], parent, children: /** @type {number[]} */ ([]) };
    places.push(place);
    for (const child of tree[old].children) if (child !== gone) place.children.push(copy(child, here));
    return here;
  };
  const parent = tree[gone].parent ?? 0;
  const at = wayTo(tree, parent).slice(1).map((place) => tree[place].move);
  copy(0, null);
  let here = 0;
  for (const move of at) here = places[here].children.find((child) => places[child].move === move) ?? here;
  return { tree: places, at: here };
}
