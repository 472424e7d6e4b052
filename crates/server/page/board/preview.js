// @ts-check
// What a move would do, before it is made: the disc that would be put and those that would turn. A pointer or the focus on
// a square shows it; a touch may show it first and play with a second one.

/**
 * @param {SVGElement} svg
 * @param {ReadonlyMap<string, SVGElement>} cells
 * @param {(event: Event) => string | null} squareOf
 */
export function createPreview(svg, cells, squareOf) {
  /** The squares that each legal move turns, and who is to move. @type {Map<string, string[]>} */
  let flips = new Map();
  let side = "";
  /** The move that is shown. */
  let shown = "";
  /** The move that a second touch makes. */
  let armed = "";

  /** @param {string} square */
  function show(square) {
    if (square === shown) return;
    for (const cell of cells.values()) cell.classList.remove("put", "turns");
    shown = flips.has(square) ? square : "";
    if (shown === "") return;
    cells.get(shown)?.classList.add("put");
    for (const turned of flips.get(shown) ?? []) cells.get(turned)?.classList.add("turns");
  }
  function hide() {
    armed = "";
    show("");
  }

  svg.addEventListener("pointerover", (event) => show(squareOf(event) ?? ""));
  svg.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && hide());
  svg.addEventListener("pointercancel", hide);
  svg.addEventListener("focusin", (event) => {
    const square = squareOf(event) ?? "";
    if (cells.get(square)?.matches(":focus-visible")) show(square);
  });
  svg.addEventListener("focusout", hide);

  return {
    /** Another position: these moves can be made. @param {import("./board.js").Shown | null} position */
    set(position) {
      hide();
      flips = new Map(position?.legal.map(({ move, flips: turned }) => [move, turned]));
      side = position?.side ?? "";
      svg.dataset.side = side;
    },
    /** Whether a touch of a square only shows what it would do: the next one plays. @param {string} square */
    waits(square) {
      if (!flips.has(square) || armed === square) return false;
      show(square);
      armed = square;
      return true;
    },
  };
}
