// @ts-check
// A game as a page of its own: one file with board, moves, scores and comments that needs nothing else.

import { ending } from "../play/news.js";
import { discs, signed } from "./scores.js";
import { squaresOf } from "./reasons.js";
import { keyOf, lineThrough, numberOf, promoted, wayTo } from "./tree.js";

/**
 * @typedef {import("./model.js").Analysis} Analysis
 * @typedef {import("../base/speech.js").Speech} Speech
 * @typedef {{ cells: string, name: string, last: string, told: string, comment: string, lead: number | null,
 *   before: number, next: number[], ply: number }} Shown a position of the game, with its neighbours
 * @typedef {{ size: number, at: number, plies: number, shown: Shown[], board: string }} Book the main line first, then the branches
 */

const STYLE = `:root{color-scheme:light dark;--ink:light-dark(#1c2225,#eceae4);--card:light-dark(#fffefb,#1d2326);--line:light-dark(#dcd7c9,#343c40);--accent:light-dark(#1d6b47,#74d3a5)}
*{box-sizing:border-box}body{margin:0;padding:1rem;background:light-dark(#f5f3ec,#14181a);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{display:grid;gap:1rem;max-width:72rem;margin:auto}h1{margin:0;font-size:1.2rem}p{margin:0;min-height:3em}
@media(min-width:48rem){main{grid-template-columns:minmax(0,min(36rem,90vh)) minmax(0,1fr)}}
#board{display:grid;gap:2px;padding:2px 10px 10px 2px;border-radius:10px;background:#1b2b23;color:#b4c6bb;font-size:.8rem;aspect-ratio:1}#board b{place-self:center;font-weight:400}
#board i{display:grid;place-items:center;background:#2f7f56}#board i::before{content:"";width:82%;height:82%;border-radius:50%}
.X::before{background:#16191a}.O::before{background:#f7f4ec}.last{box-shadow:inset 0 0 0 3px #e8583a}
aside{display:grid;gap:.75rem;align-content:start}nav{display:grid;grid-template-columns:repeat(4,1fr);gap:.4rem}
button{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.5rem;min-height:2.4rem;cursor:pointer}
button:hover{border-color:var(--accent)}button[aria-current]{background:var(--accent);color:light-dark(#fff,#0c2219)}
#moves{display:grid;grid-template-columns:repeat(auto-fill,minmax(5.5rem,1fr));gap:.2rem;max-height:24rem;overflow:auto}
.branch,#moves small{grid-column:1/-1}.branch{display:flex;flex-wrap:wrap;align-items:baseline;gap:.2rem;margin-left:.5rem;padding-left:.4rem;border-left:2px solid var(--line)}small{font-style:italic;overflow-wrap:anywhere}
svg{display:block;width:100%;border-radius:.5rem;background:light-dark(#efece2,#39434a)}polyline{fill:none;stroke:var(--accent);stroke-width:2}
.zero{stroke:#888}.now{stroke:#f2a53a;stroke-width:2}footer{color:light-dark(#535c60,#a8b1b4);font-size:.9rem}`;

/** What the page does; it is written into it, so it may use nothing but its own book. @param {Book} book */
function turnPages({ size, at, plies, shown, board }) {
  const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const add = (/** @type {Element} */ to, /** @type {string} */ tag) => to.appendChild(document.createElement(tag));
  const grid = find("board");
  grid.style.gridTemplate = `1.2rem repeat(${size},minmax(0,1fr))/1.2rem repeat(${size},minmax(0,1fr))`;
  for (let column = 0; column <= size; column++) add(grid, "b").textContent = " abcdefgh"[column];
  const cells = Array.from({ length: size * size }, (_, i) => {
    if (i % size === 0) add(grid, "b").textContent = String(i / size + 1);
    return add(grid, "i");
  });
  /** @type {HTMLElement[]} */
  const moves = [];
  const list = (/** @type {Element} */ to, /** @type {number} */ place) => {
    const { name, comment } = shown[place];
    moves[place] = /** @type {HTMLElement} */ (add(to, "button"));
    moves[place].textContent = name;
    moves[place].onclick = () => show(place);
    if (comment) add(to, "small").textContent = comment;
  };
  /** The moves after a place, each followed by the other branches at its own. */
  const listAfter = (/** @type {Element} */ to, /** @type {number} */ from) => {
    for (let place = from; shown[place].next.length > 0; place = shown[place].next[0]) {
      const [first, ...others] = shown[place].next;
      list(to, first);
      for (const other of others) {
        const branch = add(to, "div");
        branch.className = "branch";
        list(branch, other);
        listAfter(branch, other);
      }
    }
  };
  list(find("moves"), 0);
  listAfter(find("moves"), 0);
  const last = (/** @type {number} */ place) => {
    while (shown[place].next.length > 0) place = shown[place].next[0];
    return place;
  };
  /** @param {number} place */
  function show(place) {
    at = place;
    const { cells: discs, last: played, told, ply } = shown[at];
    cells.forEach((cell, i) => (cell.className = discs[i] + (played === String.fromCharCode(97 + (i % size)) + (Math.floor(i / size) + 1) ? " last" : "")));
    grid.setAttribute("aria-label", `${board} ${discs}`);
    find("told").textContent = told;
    moves.forEach((move, i) => (i === at ? move.setAttribute("aria-current", "step") : move.removeAttribute("aria-current")));
    find("moves").scrollTop = moves[at].offsetTop - find("moves").offsetTop - 100;
    for (const end of ["x1", "x2"]) find("now").setAttribute(end, String(ply));
  }
  /** @type {Record<string, () => void>} */
  const steps = { ArrowLeft: () => show(shown[at].before), ArrowRight: () => show(shown[at].next[0] ?? at), Home: () => show(0), End: () => show(last(at)) };
  for (const [i, step] of ["Home", "ArrowLeft", "ArrowRight", "End"].entries()) find(`step${i}`).onclick = steps[step];
  addEventListener("keydown", (event) => {
    if (steps[event.key] === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    steps[event.key]();
  });
  find("graph").onclick = (event) => {
    const box = find("graph").getBoundingClientRect();
    show(Math.max(0, Math.min(plies, Math.round(((event.clientX - box.left) / box.width) * plies))));
  };
  show(at);
}

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The line that is looked at, position by position, and all that branches off. @param {Readonly<Analysis>} state @param {Speech} speech @returns {Book} */
function bookOf({ tree: found, at, judged, notes, size }, { words }) {
  if (found === null) return { size, at: 0, plies: 0, shown: [], board: "" };
  const tree = promoted(found, at);
  const line = lineThrough(tree, at);
  const places = [...line, ...[...tree.keys()].filter((place) => !line.includes(place))];
  const shown = places.map((place) => {
    const { move, position, parent, children } = tree[place];
    const own = judged[keyOf(tree, place)];
    const next = judged[keyOf(tree, children[0] ?? 0)];
    const note = notes[keyOf(tree, place)];
    const black = (/** @type {import("../../types/api").Side} */ side, /** @type {number} */ score) => (side === "black" ? score : -score);
    const lead = own ? black(own.side, own.score) : next ? black(next.side, next.best_score) : null;
    const mark = note?.symbol || (own?.mark ?? "");
    const name = move === "" ? "–" : `${move === "pass" ? words("pass") : `${numberOf(tree, place)}. ${move}`}${mark}`;
    const told = [`${words("black")} ${position.black} · ${words("white")} ${position.white}.`];
    if (lead !== null) told.push(`${words("blackLead", { lead: signed(lead, own?.exact ?? next?.exact ?? false) })}.`);
    if (own?.mark) {
      told.push(words("costlyMove", { number: own.number, move: own.move, lost: discs(own.lost, own.exact), best: own.best }), `(${squaresOf(own.line).join(" ")}).`);
    }
    return {
      cells: position.position.split(" ")[0],
      name,
      last: /^[a-h]/.test(move) ? move : "",
      told: [...told, note?.text ?? ""].join(" "),
      comment: note?.text ?? "",
      lead,
      before: places.indexOf(parent ?? 0),
      next: children.map((child) => places.indexOf(child)),
      ply: wayTo(tree, place).length - 1,
    };
  });
  return { size, at: line.indexOf(at), plies: line.length - 1, shown, board: words("boardOf") };
}

/** @param {Shown[]} shown */
function graphOf(shown) {
  const most = Math.max(6, ...shown.map(({ lead }) => Math.abs(lead ?? 0)));
  const points = shown.flatMap(({ lead }, ply) => (lead === null ? [] : [`${ply},${((-lead / most) * 11).toFixed(2)}`]));
  const wide = Math.max(1, shown.length - 1);
  const line = `<polyline vector-effect="non-scaling-stroke" points="${points.join(" ")}"/>`;
  return `<svg id="graph" viewBox="0 -12 ${wide} 24" height="120" preserveAspectRatio="none" aria-hidden="true"><line class="zero" vector-effect="non-scaling-stroke" x2="${wide}"/>${line}<line id="now" class="now" vector-effect="non-scaling-stroke" y1="-12" y2="12"/></svg>`;
}

/** The whole file. @param {Readonly<Analysis>} state @param {Speech} speech */
export function pageOf(state, speech) {
  const { words } = speech;
  const book = bookOf(state, speech);
  const end = state.tree?.[lineThrough(state.tree, state.at).at(-1) ?? 0].position;
  const game = words(state.variant === "reversed" ? "reversedShort" : "reversiShort");
  const title = escaped([game, end ? ending(end, state.variant, speech) : ""].filter(Boolean).join(": "));
  const { black, white, event, date } = state.record;
  const players = black || white ? `${words("black")} ${black || "?"} – ${words("white")} ${white || "?"}` : "";
  const about = escaped([players, event, date].filter(Boolean).join(" · "));
  const buttons = /** @type {const} */ ([["first", "«"], ["back", "‹"], ["on", "›"], ["end", "»"]]);
  const steps = buttons.map(([phrase, sign], i) => `<button id="step${i}" aria-label="${escaped(words(phrase))}">${sign}</button>`).join("");
  return `<!doctype html>
<html lang="${document.documentElement.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>Turncoat · ${title}</title><style>${STYLE}</style></head>
<body><main><div id="board" role="img"></div><aside><h1>${title}</h1><div>${about}</div><nav>${steps}</nav><p id="told" role="status"></p>${graphOf(book.shown.slice(0, book.plies + 1))}<div id="moves"></div>
<footer>Turncoat · ${new Date().toLocaleDateString(document.documentElement.lang)}</footer></aside></main>
<script>(${turnPages})(${JSON.stringify(book).replaceAll("<", "\\u003c")})</script></body></html>
`;
}
