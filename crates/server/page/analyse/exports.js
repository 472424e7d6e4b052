// @ts-check
// What leaves the page: files in several formats, and pictures.

import { exportGame, Fault } from "../base/client.js";
import { make } from "../base/dom.js";
import { lineThrough, movesOf, wayTo } from "./tree.js";

export const FORMATS = /** @type {const} */ (["svg", "png", "gif", "page", "ggf", "transcript"]);

/** Formats of a whole game that have room for one line and nothing else. @type {readonly string[]} */
const OF_ONE_LINE = ["gif", "ggf", "transcript"];

/** Whether a format leaves branches or notes out. @param {Readonly<import("./model.js").Analysis>} state @param {string} format */
export const leavesOut = ({ tree, at, notes }, format) =>
  tree !== null && OF_ONE_LINE.includes(format) && (lineThrough(tree, at).length < tree.length || Object.keys(notes).length > 0);

/** The side of a picture in pixels. */
const PIXELS = 1024;

/** @param {Blob} content @param {string} name */
export function save(content, name) {
  const address = URL.createObjectURL(content);
  const link = make("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** A picture of dots, of one of lines. @param {string} svg @returns {Promise<Blob>} */
export async function toPng(svg) {
  const sized = svg.replace("<svg ", `<svg width="${PIXELS}" height="${PIXELS}" `);
  const address = URL.createObjectURL(new Blob([sized], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = make("canvas");
  canvas.width = canvas.height = PIXELS;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  URL.revokeObjectURL(address);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Fault("no-picture")))),
  );
}

/**
 * Saves a picture of the place that is looked at, or the whole line that it is on: as a game, as a film, as a page.
 * @param {Readonly<import("./model.js").Analysis>} state
 * @param {typeof FORMATS[number]} format
 * @param {import("../base/speech.js").Speech} speech
 */
export async function saveAs(state, format, speech) {
  const { variant, size, start, tree, at, record } = state;
  if (tree === null) return;
  if (format === "page") {
    return save(new Blob([(await import("./standalone.js")).pageOf(state, speech)], { type: "text/html" }), "turncoat.html");
  }
  if (format === "gif") {
    const places = lineThrough(tree, at).map((place) => ({ position: tree[place].position.position, move: tree[place].move }));
    return save((await import("./gif.js")).animate(places, size), "turncoat.gif");
  }
  const way = format === "svg" || format === "png" ? wayTo(tree, at) : lineThrough(tree, at);
  const game = { variant, size, start, moves: movesOf(tree, way).join("") };
  const text = await exportGame(game, format === "png" ? "svg" : format, record);
  const name = `turncoat.${format === "transcript" ? "txt" : format}`;
  if (format === "png") save(await toPng(text), name);
  else save(new Blob([text], { type: format === "svg" ? "image/svg+xml" : "text/plain" }), name);
}
