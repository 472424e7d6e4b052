// The objects of the API, generated from its schemas: `cargo xtask page types` writes this file.

/** The server. */
export type About = {
  /** The public address, as in `https://example.org/`, if there is one. */
  public: string | null;
  /** Whether there are runs of the lab to show. */
  runs: boolean;
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
  | "no-lab"
  | "no-run"
  | "unknown-player"
  | "player-text"
  | "player-option"
  | "player-variant"
  | "player-size"
  | "player-failed"
  | "search-failed"
  | "cannot-analyse"
  | "cannot-explain"
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

/** Whose evaluation is asked for, and of which position. */
export type ExplainRequest = {
  /** The game; its last position is evaluated. */
  game: GameText;
  /** As in `gene45`. */
  player: string;
};

/** A static evaluation, feature by feature. */
export type ExplanationView = {
  /** The features; their products add up to the value. */
  features: FeatureView[];
  /** The value of the whole, in the player's own unit. */
  value: number;
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

/** A feature of an evaluation. */
export type FeatureView = {
  /** What of it is on the board, where a number does not say it: the squares of a pattern, a number of moves. */
  detail?: string | null;
  /** What it measures. */
  name: string;
  /** Value times weight. */
  product: number;
  /** How much of it there is. */
  value: number;
  /** What one of it is worth. */
  weight: number;
};

/** The fitness of a generation. */
export type FitnessPoint = {
  /** The best one's. */
  best: number;
  /** Which. */
  generation: number;
  /** The mean. */
  mean: number;
  /** The worst one's. */
  worst: number;
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

/** A gene in one generation. */
export type GenePoint = {
  /** Its value in the best individual. */
  best: number;
  /** Its standard deviation over them. */
  deviation: number;
  /** Which. */
  generation: number;
  /** Its mean over the logged individuals. */
  mean: number;
};

/** What became of a gene. */
export type GeneView = {
  /** What it is, as in `board (0,1), stage 2`. */
  name: string;
  /** Its values by generation. */
  points: GenePoint[];
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
  /** Whether it analyses: it thinks in discs. */
  analyses: boolean;
  /** Whether it has an evaluation to explain. */
  explains: boolean;
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

/** A run with its curves. Of many generations, some are in them, evenly spread, the first and the last included. */
export type RunDetails = RunView & {
  /** Elo of a loop's rounds against its yardsticks and the best round before. */
  elo: YardstickView[];
  /** Fitness by generation. */
  fitness: FitnessPoint[];
  /** Every gene by generation. */
  genes: GeneView[];
  /** The parameter file of the champion, or else of the best of the last generation. */
  parameters: string | null;
  /** The player whose parameters are evolved. */
  player: string;
  /** The game: `reversed` or `reversi`. */
  variant: string;
  /** Games won against the experiment's yardsticks. */
  yardsticks: YardstickView[];
};

/** What a run does. */
export type RunKindView = "genetic" | "loop" | "report";

/** What becomes of a run. */
export type RunState = "running" | "stopped" | "finished" | "damaged";

/** A run in a list. */
export type RunView = {
  /** The best fitness of the last generation; of a loop the last round's Elo against its strongest yardstick. */
  best: number | null;
  /** When it last changed, in seconds since 1970. */
  changed: number;
  /** Why it cannot be read, if it cannot. */
  fault: string | null;
  /** Generations, rounds or parts done. */
  generation: number;
  /** Generations, rounds or parts planned. */
  generations: number;
  /** Whether it has a report: a page of its own. */
  has_report: boolean;
  /** What it does. */
  kind: RunKindView;
  /** The mean fitness of the last generation. */
  mean: number | null;
  /** Its folder below that of all runs, as in `first` or `sweep/1-mutation=0.01/seed-1`. */
  name: string;
  /** How long its generations took, those of which it is known. */
  seconds: number;
  /** What becomes of it. */
  state: RunState;
  /** What its experiment is called. */
  title: string;
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

/** How generations fared against a yardstick. */
export type YardstickView = {
  /** The yardstick. */
  player: string;
  /** Generations, and the share of games won in each; or rounds, and their Elo. */
  points: ([number, number])[];
};
