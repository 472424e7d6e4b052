// @ts-check
// A game as an animated GIF: boards drawn in few colours, and the LZW of the format.

/** The side of a cell in pixels, hundredths of a second a move is shown, and the last one. */
const CELL = 40;
const [MOVE_TIME, LAST_TIME] = [80, 300];
const RIM = 6;
/** The colours: cloth, lines and rim, both discs, the last move, and what lies between them at the edges of discs. */
const CLOTH = [47, 127, 86];
const DARK = [27, 43, 35];
const BLACK = [22, 25, 26];
const WHITE = [247, 244, 236];
const RED = [232, 88, 58];
/** @param {number[]} one @param {number[]} other @param {number} share */
const mix = (one, other, share) => one.map((value, i) => Math.round(value + (other[i] - value) * share));
const STEPS = [0.25, 0.5, 0.75];
const PALETTE = [CLOTH, DARK, BLACK, WHITE, RED, ...STEPS.map((share) => mix(CLOTH, BLACK, share)), ...STEPS.map((share) => mix(CLOTH, WHITE, share)), mix(RED, BLACK, 0.5), mix(RED, WHITE, 0.5)];
/** Bits of a colour's number. */
const BITS = 4;

/**
 * @param {CanvasRenderingContext2D} canvas
 * @param {string} cells
 * @param {number} size
 * @param {string} last
 */
function drawBoard(canvas, cells, size, last) {
  const whole = size * CELL + 2 * RIM;
  const fill = (/** @type {number[]} */ color) => (canvas.fillStyle = `rgb(${color.join(" ")})`);
  fill(DARK);
  canvas.fillRect(0, 0, whole, whole);
  for (let at = 0; at < size * size; at++) {
    const [x, y] = [RIM + (at % size) * CELL, RIM + Math.floor(at / size) * CELL];
    fill(CLOTH);
    canvas.fillRect(x + 1, y + 1, CELL - 1, CELL - 1);
    const disc = cells[at];
    if (disc !== "X" && disc !== "O") continue;
    const dot = (/** @type {number[]} */ color, /** @type {number} */ radius) => {
      fill(color);
      canvas.beginPath();
      canvas.arc(x + CELL / 2, y + CELL / 2, radius, 0, 2 * Math.PI);
      canvas.fill();
    };
    dot(disc === "X" ? BLACK : WHITE, CELL * 0.42);
    if (last === String.fromCharCode(97 + (at % size)) + (Math.floor(at / size) + 1)) dot(RED, CELL * 0.1);
  }
}

/** The number of the nearest colour for every pixel. @param {Uint8ClampedArray} pixels */
function indexed(pixels) {
  const found = new Uint8Array(pixels.length / 4);
  /** @type {Map<number, number>} */
  const known = new Map();
  for (let i = 0; i < found.length; i++) {
    const [r, g, b] = [pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]];
    const key = (r << 16) | (g << 8) | b;
    let index = known.get(key);
    if (index === undefined) {
      const far = PALETTE.map(([x, y, z]) => (x - r) ** 2 + (y - g) ** 2 + (z - b) ** 2);
      index = far.indexOf(Math.min(...far));
      known.set(key, index);
    }
    found[i] = index;
  }
  return found;
}

/** @param {Uint8Array} indices @returns {number[]} the bytes of an image, in blocks */
function compress(indices) {
  const [clear, end] = [1 << BITS, (1 << BITS) + 1];
  /** @type {number[]} */
  const bytes = [];
  let [buffer, filled, width] = [0, 0, BITS + 1];
  const put = (/** @type {number} */ code) => {
    buffer |= code << filled;
    for (filled += width; filled >= 8; filled -= 8, buffer >>>= 8) bytes.push(buffer & 255);
  };
  /** @type {Map<number, number>} */
  let codes = new Map();
  let next = end + 1;
  put(clear);
  let before = indices[0];
  for (let i = 1; i < indices.length; i++) {
    const key = (before << 8) | indices[i];
    const known = codes.get(key);
    if (known !== undefined) {
      before = known;
      continue;
    }
    put(before);
    if (next === 4096) {
      put(clear);
      [codes, next, width] = [new Map(), end + 1, BITS + 1];
    } else {
      codes.set(key, next++);
      if (next > 1 << width && width < 12) width++;
    }
    before = indices[i];
  }
  put(before);
  put(end);
  if (filled > 0) bytes.push(buffer & 255);
  const blocks = [BITS];
  for (let i = 0; i < bytes.length; i += 255) blocks.push(Math.min(255, bytes.length - i), ...bytes.slice(i, i + 255));
  return [...blocks, 0];
}

/**
 * @param {{ position: string, move: string }[]} places the positions of a game with the move to each
 * @param {number} size
 * @returns {Blob}
 */
export function animate(places, size) {
  const side = size * CELL + 2 * RIM;
  const canvas = Object.assign(document.createElement("canvas"), { width: side, height: side });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  const word = (/** @type {number} */ value) => [value & 255, value >> 8];
  const letters = (/** @type {string} */ text) => [...text].map((letter) => letter.charCodeAt(0));
  const colors = Array.from({ length: 1 << BITS }, (_, i) => PALETTE[i] ?? [0, 0, 0]).flat();
  const parts = [[...letters("GIF89a"), ...word(side), ...word(side), 0xf0 | (BITS - 1), 0, 0, ...colors, 0x21, 0xff, 11, ...letters("NETSCAPE2.0"), 3, 1, 0, 0, 0]];
  places.forEach(({ position, move }, i) => {
    drawBoard(context, position, size, move);
    const delay = i === places.length - 1 ? LAST_TIME : MOVE_TIME;
    parts.push([0x21, 0xf9, 4, 4, ...word(delay), 0, 0, 0x2c, ...word(0), ...word(0), ...word(side), ...word(side), 0]);
    parts.push(compress(indexed(context.getImageData(0, 0, side, side).data)));
  });
  parts.push([0x3b]);
  return new Blob(parts.map((part) => new Uint8Array(part)), { type: "image/gif" });
}
