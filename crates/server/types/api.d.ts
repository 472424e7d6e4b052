// The objects of the API, generated from its schemas: `cargo xtask page types` writes this file.

/** The server. */
export type About = {
  /** The public address, as in `https://example.org/`, if there is one. */
  public: string | null;
  version: string;
};

/** The number of a game that was added. */
export type Added = {
  id: number;
};

/** A part of an analysis, or its end. */
export type AnalysisAnswer = {
  /** Plies searched. */
  depth: number;
  /** The request's. */
  id: number;
  /** The moves. */
  moves: ScoredMove[];
} | {
  /** The request's. */
  id: number;
  /** The move. */
  judged: ReviewedMove;
} | {
  /** Always true. */
  done: boolean;
  /** The request's. */
  id: number;
} | ApiFault & {
  /** The request's. */
  id: number;
};

/** What is to be analysed. */
export type AnalysisRequest = {
  /** The game. */
  game: GameText;
  /** Chosen by the client and repeated in every answer, so that late answers can be told apart. */
  id?: number;
  /** Who analyses. */
  player?: string;
  /** Whether to review every move of the game rather than to analyse its last position. */
  whole?: boolean;
};

/** Why a request is refused: in English, and as a code with values for pages that have words of their own. */
export type ApiFault = {
  /** What is wrong, for programs. */
  code: Code;
  /** What is wrong, and where. */
  error: string;
  /** The values that belong to the code. */
  params: Record<string, unknown>;
};

/** What can be wrong with a request. */
export type Code = 
  | "not-json"
  | "not-object"
  | "bad-field"
  | "no-host"
  | "wrong-host"
  | "wrong-origin"
  | "no-token"
  | "wrong-token"
  | "wrong-type"
  | "wrong-method"
  | "no-upgrade"
  | "no-address"
  | "body-late"
  | "body-broken"
  | "body-too-long"
  | "too-many-requests"
  | "too-many-sockets"
  | "busy"
  | "server-failed"
  | "game-number"
  | "no-game"
  | "game-changed"
  | "name-too-long"
  | "unknown-player"
  | "player-text"
  | "player-option"
  | "player-variant"
  | "player-size"
  | "player-failed"
  | "search-failed"
  | "cannot-analyse"
  | "nothing-to-choose"
  | "nothing-to-analyse"
  | "unknown-variant"
  | "unknown-size"
  | "no-text"
  | "unknown-form"
  | "many-games"
  | "few-cells"
  | "many-cells"
  | "no-cell"
  | "no-side"
  | "bad-side"
  | "trailing"
  | "no-discs"
  | "two-discs"
  | "off-board"
  | "row-width"
  | "board-size"
  | "row-number"
  | "no-row"
  | "two-sides"
  | "score-form"
  | "score-move"
  | "score-illegal"
  | "score-number"
  | "score-range"
  | "score-twice"
  | "ggf-game"
  | "ggf-property"
  | "ggf-bracket"
  | "ggf-other-game"
  | "ggf-type"
  | "ggf-size"
  | "ggf-move"
  | "ggf-turn"
  | "log-too-long"
  | "log-form"
  | "log-size"
  | "log-board"
  | "log-move"
  | "no-move"
  | "game-over"
  | "may-not-pass"
  | "must-pass"
  | "occupied"
  | "flips-nothing";

/** What owning the discs of a corner is worth. */
export type CornerKnowledge = {
  /** A C square, next to an empty corner on the edge. */
  c: number | null;
  /** The corner itself. */
  corner: number | null;
  /** X and both C squares together at an empty corner. */
  trap: number | null;
  /** The X square, next to an empty corner across. */
  x: number | null;
};

/** A format to export to. */
export type ExportFormat = "text" | "transcript" | "ggf" | "svg";

/** A game and the format that it is wanted in. */
export type ExportRequest = {
  /** Who played black, for GGF. */
  black?: string;
  /** The game. */
  game: GameText;
  /** The format. */
  to: ExportFormat;
  /** Who played white, for GGF. */
  white?: string;
};

/** A game as text: variant, size, where it begins, and its moves. */
export type GameText = {
  /** The moves from there on, as a transcript. */
  moves?: string;
  /** Squares a side: 8, 6 or 4. */
  size?: number;
  /** `start`, or a position, a transcript, GGF or the course's log. */
  start?: string;
  /** `reversed` or `reversi`. */
  variant?: string;
};

/** A game with everything that a board needs to show it. */
export type GameView = {
  /** The moves, `pass` among them. */
  moves: string[];
  /** How the game ended, if it is over. */
  outcome: null | OutcomeView;
  /** The start and the position after each move. */
  positions: PositionView[];
  /** Squares a side. */
  size: number;
  /** The moves without passes. */
  transcript: string;
  /** `reversed` or `reversi`. */
  variant: string;
};

/** A game to keep. */
export type KeepRequest = {
  /** Who plays black: `human`, or a player as in `turncoat:level=3`. */
  black: string;
  /** The game. */
  game: GameText;
  /** Who resigned or ran out of time. */
  loser?: null | Side;
  /** The kept game as the client last saw it; if it has changed since, it is not replaced. */
  seen?: null | LastSeen;
  /** Who plays white. */
  white: string;
};

/** A kept game. */
export type KeptGame = SavedGame & {
  /** When it was last changed, in seconds since 1970. */
  changed: number;
  /** Its number. */
  id: number;
};

/** What the trained evaluation of a game knows. */
export type Knowledge = {
  /** Games that the means are taken over. */
  games: number;
  /** From the opening to the end. */
  stages: StageKnowledge[];
  /** The game. */
  variant: string;
};

/** How far a kept game had got when a client saw it. */
export type LastSeen = {
  /** Who had resigned or run out of time. */
  loser?: null | Side;
  /** Its transcript, as the server wrote it. */
  moves: string;
};

/** A legal move and the discs that it flips. */
export type LegalMove = {
  /** The squares of the flipped discs. */
  flips: string[];
  /** The square. */
  move: string;
};

/** A kept game in a list, with its result on the board. */
export type ListedGame = KeptGame & {
  /** How it ended on the board, if it did. */
  outcome: null | OutcomeView;
};

/** How bad a move is. */
export type Mark = "" | "?!" | "?" | "??";

/** What a move does on the board, in numbers that can be counted there. */
export type MoveFacts = {
  /** Whether it takes a corner. */
  corner: boolean;
  /** Discs that it flips. */
  flips: number;
  /** Whether it lets the opponent take a corner. */
  gives_corner: boolean;
  /** Moves that its own side would have if it could move again. */
  own: number;
  /** Moves that it leaves the opponent. */
  replies: number;
};

/** Who is asked for a move, and in which game. */
export type MoveRequest = {
  /** The game; the move is for its last position. */
  game: GameText;
  /** As in `turncoat:level=3`. */
  player: string;
  /** The seed of its random choices. */
  seed?: number;
};

/** An option of a player. */
export type OptionView = {
  /** What it does. */
  about: string;
  /** What stands before the `=`. */
  key: string;
  /** What may stand after it. */
  value: string;
};

/** How a game ended. */
export type OutcomeView = {
  /** The difference in discs, with the empty squares in the winner's favour. */
  margin: number;
  /** Who won; nobody in a draw. */
  winner: null | Side;
};

/** A kind of player. */
export type PlayerView = {
  /** One line about it. */
  about: string;
  /** Its name. */
  name: string;
  /** Its options. */
  options: OptionView[];
  /** How strong its levels are, as far as that was measured: game by game, the lowest first. */
  ratings: RatingView[];
  /** The sizes it plays on. */
  sizes: number[];
  /** The games it plays. */
  variants: string[];
};

/** A position. */
export type PositionView = {
  /** Black's discs. */
  black: number;
  /** The legal moves, in the order of squares. */
  legal: LegalMove[];
  /** How the game ended, if it is over. */
  outcome: null | OutcomeView;
  /** Whether neither side can move. */
  over: boolean;
  /** Whether the side to move must pass. */
  pass: boolean;
  /** The position as text: its cells and the side to move. */
  position: string;
  /** The side to move. */
  side: Side;
  /** White's discs. */
  white: number;
};

/** The measured strength of a level on 8x8. */
export type RatingView = {
  /** Elo above the player `random`. */
  elo: number;
  /** Half the width of the 95 % interval. */
  error: number;
  /** The level. */
  level: number;
  /** The game. */
  variant: string;
};

/** A move of a game beside the best one. */
export type ReviewedMove = {
  /** The best move. */
  best: string;
  /** The best move's score. */
  best_score: number;
  /** What the best move would have done. */
  better: MoveFacts;
  /** Plies searched. */
  depth: number;
  /** Whether the scores are proven. */
  exact: boolean;
  /** The expected line from the best move on. */
  line: string;
  /** Discs lost by the move. */
  lost: number;
  /** What the move did on the board. */
  made: MoveFacts;
  /** How bad it is. */
  mark: Mark;
  /** The move that was made. */
  move: string;
  /** Its number among the moves that place a disc, from 1. */
  number: number;
  /** Its place in the game, from 1, passes included. */
  ply: number;
  /** The expected line from the move on, which shows why. */
  refutation: string;
  /** Its score in discs, for its side. */
  score: number;
  /** Who made it. */
  side: Side;
};

/** A game that has been checked, as it is kept. */
export type SavedGame = {
  /** Who plays black: `human`, or a player as in `turncoat:level=3`. */
  black: string;
  /** Who resigned or ran out of time. */
  loser: null | Side;
  /** Its transcript. */
  moves: string;
  /** Squares a side. */
  size: number;
  /** The position that it began with. */
  start: string;
  /** `reversed` or `reversi`. */
  variant: string;
  /** Who plays white. */
  white: string;
};

/** A move with what a player knows of it. */
export type ScoredMove = {
  /** Plies searched. */
  depth: number;
  /** Whether the score is proven. */
  exact: boolean;
  /** The expected line, as a transcript. */
  line: string;
  /** The move: a square, or `pass`. */
  move: string;
  /** Positions searched. */
  nodes: number;
  /** In discs for the mover. */
  score: number | null;
  /** How long it took. */
  seconds: number;
};

/** The token of a server that asks for one. */
export type SessionRequest = {
  token: string;
};

/** A colour, as schemas describe it. */
export type Side = "black" | "white";

/** What it knows of one stage, in discs for the side that owns the square or has the mobility. */
export type StageKnowledge = {
  /** The corners and what is next to them. */
  corners: CornerKnowledge;
  /** The most and the fewest empty squares of the stage. */
  empties: [number, number];
  /** By own moves, then by the opponent's: what this mobility is worth, relative to the mean. */
  mobility: number[][];
  /** Positions that the means are taken over. */
  positions: number;
  /** What owning each square is worth, row by row from a1; none where no position had a disc. */
  squares: (number | null)[];
};
