// @ts-check
// Squares in words, for those who do not see the board.

/** @param {import("../base/speech.js").Speech} speech */
export const describer = ({ words }) => ({
  name: () => words("board"),
  /** @param {string} square @param {string} cell @param {number} flips none if it cannot be played */
  describe(square, cell, flips) {
    if (cell === "X" || cell === "O") {
      return words("disc", { square, side: words(cell === "X" ? "black" : "white") });
    }
    return words(flips > 0 ? "legal" : "empty", { square, flips });
  },
});
