// @ts-check
// Everything the page says, in its two languages. `{name}` stands for a value.

const ENGLISH = {
  title: "Turncoat",
  tagline: "Reversed Reversi: the fewest discs win",
  variant: "Game",
  reversed: "Reversed Reversi (fewest discs win)",
  reversi: "Reversi (most discs win)",
  size: "Board",
  black: "Black",
  white: "White",
  human: "A person",
  level: "Level",
  newGame: "New game",
  undo: "Undo",
  redo: "Redo",
  hint: "Hint",
  resign: "Resign",
  language: "中文",
  board: "Board. Arrow keys move, Enter plays.",
  empty: "{square}, empty",
  legal: "{square}, you can play here",
  disc: "{square}, {side}",
  turn: "{side} to move",
  thinking: "{side} is thinking …",
  passed: "{side} has no legal move and passes.",
  played: "{side} plays {move}.",
  hinted: "{player} would play {move}.",
  wins: "{side} wins by {margin}.",
  winsBy: "{side} wins: {loser} has resigned.",
  draw: "A draw.",
  discs: "{side}: {count} discs",
  failed: "That did not work: {error}",
};

/** @type {typeof ENGLISH} */
const CHINESE = {
  title: "Turncoat",
  tagline: "反黑白棋：棋子少者胜",
  variant: "玩法",
  reversed: "反黑白棋（子少者胜）",
  reversi: "黑白棋（子多者胜）",
  size: "棋盘",
  black: "黑方",
  white: "白方",
  human: "真人",
  level: "级别",
  newGame: "新对局",
  undo: "悔棋",
  redo: "重做",
  hint: "提示",
  resign: "认输",
  language: "English",
  board: "棋盘。方向键移动，回车落子。",
  empty: "{square}，空",
  legal: "{square}，可以落子",
  disc: "{square}，{side}",
  turn: "轮到{side}",
  thinking: "{side}正在思考……",
  passed: "{side}无子可下，停一手。",
  played: "{side}下在 {move}。",
  hinted: "{player} 会下 {move}。",
  wins: "{side}胜 {margin} 子。",
  winsBy: "{side}胜：{loser}认输。",
  draw: "平局。",
  discs: "{side}：{count} 子",
  failed: "操作失败：{error}",
};

/** @typedef {"en" | "zh"} Language */
/** @typedef {keyof typeof ENGLISH} Phrase */

const LANGUAGES = { en: ENGLISH, zh: CHINESE };

/**
 * @param {Language} language
 * @param {Phrase} phrase
 * @param {Record<string, string | number>} [values]
 */
export function say(language, phrase, values = {}) {
  return LANGUAGES[language][phrase].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** The language of the browser, if it is one of ours. @returns {Language} */
export const usualLanguage = () => (navigator.language.startsWith("zh") ? "zh" : "en");
