// @ts-check
// One player: where it stands and has stood, its versions with their tests, its games.

import { createBoard } from "../board/board.js";
import { describer } from "../board/describe.js";
import { readGame } from "../base/client.js";
import { make, setText } from "../base/dom.js";
import { brief, drawCurves } from "../lab/curves.js";

/**
 * @import { CheckedCase, ContestantDetails, ContestantVersion } from "../../types/api"
 * @import { Point } from "../lab/curves.js"
 */

/** @param {import("../base/speech.js").Speech} speech */
export function createPlayer(speech) {
  const { says, words } = speech;
  const [title, standing, about] = [make("h2"), make("p"), make("p", { class: "fault", lang: "en" })];
  const history = make("div");
  const curve = make("article", { class: "card" }, says(make("h3"), "arena-history"), history);
  const versions = make("div", { class: "versions" });
  const element = make("section", { class: "contestant" }, title, standing, about, curve, versions);
  /** What is drawn, as text: the same is not drawn again. */
  let drawn = "";

  /** The board of a case that went wrong. @param {CheckedCase} wrong @param {number} size */
  function drawCase(wrong, size) {
    const board = createBoard({ ...describer(speech), name: () => words("arena-case", { number: wrong.case }), still: true });
    readGame({ variant: "reversed", size, start: wrong.position, moves: "" }).then((read) => board.show(read.positions[0], read.size, {}), () => {});
    const answers = make("dl", {}, says(make("dt"), "arena-expected"), make("dd", {}, wrong.expected), says(make("dt"), "arena-answered"), make("dd", {}, wrong.came));
    const text = make("figcaption", {}, make("p", { lang: "en" }, wrong.complaints.join("; ")), answers);
    return make("figure", { class: "case" }, board.element, text);
  }

  /** @param {ContestantVersion} version @param {number} size */
  function drawVersion({ number, digest, seen, report }, size) {
    const when = new Date(seen * 1000).toLocaleString(document.documentElement.lang);
    const heading = make("h3", {}, words("arena-version", { number }));
    /** @type {HTMLElement[]} */
    const parts = [heading, make("p", { class: "quiet" }, `${when} · ${digest.slice(0, 12)}`)];
    if (report) {
      const { start_seconds, slowest_seconds, memory_megabytes } = report.whole;
      const values = { start: brief(start_seconds), slowest: brief(slowest_seconds), memory: brief(memory_megabytes) };
      parts.push(make("p", { lang: "en", class: report.whole.ok ? "" : "fault" }, report.words), make("p", { class: "quiet" }, words("arena-measured", values)));
      parts.push(...report.wrong.slice(0, 1).map((wrong) => drawCase(wrong, size)));
    }
    return make("article", { class: "card" }, ...parts);
  }

  /** @param {ContestantDetails} details @param {number} size */
  function show(details, size) {
    const { row } = details;
    setText(title, row.title);
    const rating = `${brief(row.rating)} ± ${brief(row.rating_error)}`;
    const place = { rank: row.rank ?? "–", rating, games: row.games };
    setText(standing, row.state === "playing" ? words("arena-standing", place) : words(`contestant-${row.state}`));
    setText(about, row.words ?? "");
    about.hidden = row.words === null;
    const text = JSON.stringify([details, document.documentElement.lang]);
    if (text === drawn) return;
    drawn = text;
    /** @param {1 | -1 | 0} sign @returns {Point[]} */
    const edge = (sign) => details.history.map(({ game, rating, error }) => [game, rating + sign * error]);
    curve.hidden = details.history.length < 2;
    history.replaceChildren(drawCurves({ label: words("arena-history"), lines: [{ kind: "best", points: edge(0) }], band: { low: edge(-1), high: edge(1) } }));
    versions.replaceChildren(...details.versions.map((version) => drawVersion(version, size)));
  }
  return { element, show };
}
