// The objects of the API, generated from its schemas: `cargo xtask page types` writes this file.

/** The server. */
export type About = {
  /** Whether there is a contest between programs to show. */
  contest: boolean;
  /** Whether matches can be started. */
  matches: boolean;
  /** The public address, as in `https://example.org/`, if there is one. */
  public: string | null;
  /** Whether there are runs of the lab to show. */
  runs: boolean;
  /** The threads that a search may use. */
  threads: number;
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
  /** Threads that search, at most those that there are; all of them unless it is given. */
  threads?: number | null;
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

/** A move that a book knows. */
export type BookMoveView = {
  /** Plies searched. */
  depth: number;
  /** Those that were drawn. */
  draws: number;
  /** Whether the score is proven. */
  exact: boolean;
  /** Games with this move. */
  games: number;
  /** The line that the book goes on with, as a transcript. */
  line: string;
  /** Those that the mover lost. */
  losses: number;
  /** The move. */
  move: string;
  /** Positions of the book behind it. */
  positions: number;
  /** In discs for the mover; none where games were counted and nothing was searched. */
  score: number | null;
  /** Those that the mover won. */
  wins: number;
};

/** What a book is asked. */
export type BookRequest = {
  /** The game; its last position is looked up. */
  game: GameText;
};

/** What a book says about a position. */
export type BookView = {
  /** Whether there is a book for this game and size. */
  book: boolean;
  /** How deep the position was searched. */
  depth: number;
  /** Whether the score is proven. */
  exact: boolean;
  /** Whether the position is in it. */
  known: boolean;
  /** The moves that the book knows, best first. */
  moves: BookMoveView[];
  /** The opening: the last position of the game that has a name. */
  name: null | OpeningNameView;
  /** Positions of the book from here on, at most 100,000. */
  positions: number;
  /** The negamaxed score in discs for the mover. */
  score: number | null;
};

/** The test of a version, as a ladder keeps it: the whole, and the cases that went wrong. */
export type CheckReport = {
  /** The whole. */
  whole: CheckSummary;
  /** The verdict in words. */
  words: string;
  /** The first wrong cases. */
  wrong: CheckedCase[];
};

/** The whole test. */
export type CheckSummary = {
  /** Cases that were tried. */
  cases: number;
  /** `complete`, `not-started`, `hopeless` or `interrupted`. */
  end: string;
  /** Lines of its source that import what the course forbids. */
  forbidden_imports: number[];
  /** Positions without a move, where only the course's class is asked. */
  left_out: number;
  /** The most memory beyond that of its start. */
  memory_megabytes: number;
  /** Whether the program has passed. */
  ok: boolean;
  /** Cases with the right answer. */
  passed: number;
  /** Its longest answer. */
  slowest_seconds: number;
  /** How long it took to start. */
  start_seconds: number;
  /** Tells this object from the cases. */
  summary: boolean;
};

/** A position that a program was asked about. */
export type CheckedCase = {
  /** What it answered. */
  came: string;
  /** Its number, from 1. */
  case: number;
  /** What is wrong with that. */
  complaints: string[];
  /** The legal moves, as the program writes them. */
  expected: string;
  /** Why there was no answer: `timeout`, `crash`, … */
  fault: string | null;
  /** Whether the program was interrupted at its limit. */
  interrupted: boolean;
  /** Whether the answer was right. */
  ok: boolean;
  /** The position. */
  position: string;
  /** How long it took. */
  seconds: number;
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
  | "no-arena"
  | "no-contestant"
  | "no-contest-game"
  | "no-matches"
  | "bad-match"
  | "match-running"
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

/** A game in a list. */
export type ContestGame = {
  /** Who played black. */
  black: string;
  /** When it ended, in seconds since 1970, if that is known. */
  ended: number | null;
  /** Its number, from 1. */
  game: number;
  /** Black's score in discs; none if the game was lost by a fault. */
  margin: number | null;
  /** Whether it was played under pressure: the machine withheld the CPU in one of its moves, or held a player up beyond its time in an earlier try, which is void. */
  pressed: boolean;
  /** `finished`, or the fault that ended it. */
  reason: string;
  /** Who played white. */
  white: string;
  /** `black`, `white` or `draw`. */
  winner: string;
};

/** A game with its moves. */
export type ContestGameDetails = ContestGame & {
  /** What black printed, if the viewer may see it. */
  black_output: string | null;
  /** The course's log: a board after each disc. */
  chess_log: string;
  /** What is known of a fault. */
  detail: string | null;
  /** Whether something was printed that the viewer may not see. */
  hidden: boolean;
  /** Megabytes that the program held beyond its start in each of these moves, if that is known; none where nothing is. */
  memory: (number | null)[];
  /** Its transcript. */
  moves: string;
  /** Which of these moves were made under pressure, from 0. */
  pressed_moves: number[];
  /** How long black and white thought. */
  seconds: number[];
  /** Squares a side. */
  size: number;
  /** The position it began with, unless that was the start of the board. */
  start: string | null;
  /** How long each move took, those of the opening left out. */
  times: number[];
  /** Which game is played: `reversed` or `reversi`. */
  variant: string;
  /** How often the game was void before, because the machine held a player up. */
  voided: number;
  /** What white printed, if the viewer may see it. */
  white_output: string | null;
};

/** What kind of contest it is. */
export type ContestKind = "ladder" | "tournament";

/** A line of the table. */
export type ContestRow = {
  /** +5 for a win, -5 for a loss. */
  course_points: number;
  /** Those drawn. */
  draws: number;
  /** Those lost by a fault. */
  faults: number;
  /** Its games. */
  games: number;
  /** Those lost. */
  losses: number;
  /** The mean margin in discs. */
  margin: number | null;
  /** Its name, by which it is asked for. */
  name: string;
  /** Its place; none without a game. */
  rank: number | null;
  /** Its rating in Elo. */
  rating: number;
  /** Half the width of the 95 % interval. */
  rating_error: number;
  /** What becomes of it. */
  state: ContestantState;
  /** What it is called. */
  title: string;
  /** Which of its versions plays, from 1. */
  version: number | null;
  /** Those won. */
  wins: number;
  /** Why. */
  words: string | null;
  /** Whether it is a yardstick. */
  yardstick: boolean;
};

/** The table of a contest. */
export type ContestView = {
  /** Games played. */
  games: number;
  /** What kind it is. */
  kind: ContestKind;
  /** The limits of thinking in words. */
  limits: string;
  /** The players, best first. */
  rows: ContestRow[];
  /** Squares a side. */
  size: number;
  /** Games planned; a ladder has no end. */
  total: number | null;
  /** The game: `reversed` or `reversi`. */
  variant: string;
};

/** A player with its versions and its history. */
export type ContestantDetails = {
  /** Where it has stood. */
  history: StandingPoint[];
  /** Its line of the table. */
  row: ContestRow;
  /** Its versions, the latest first. */
  versions: ContestantVersion[];
};

/** What becomes of a program on a ladder. */
export type ContestantState = "waiting" | "testing" | "playing" | "failed" | "refused" | "gone";

/** A version of a player. */
export type ContestantVersion = {
  /** The hash of its contents. */
  digest: string;
  /** Which, from 1. */
  number: number;
  /** Its test. */
  report: null | CheckReport;
  /** When it came, in seconds since 1970. */
  seen: number;
};

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

/** The discs at the end of each game. */
export type CountAnswer = {
  /** In the order of the lines; null for what is no game. */
  counted: (null | CountedGame)[];
};

/** Transcripts to count, from the usual start. */
export type CountRequest = {
  /** The games, one a line. */
  games: string;
  /** Squares a side: 8, 6 or 4. */
  size: number;
};

/** The discs after the last move of a game. */
export type CountedGame = {
  /** Black's discs. */
  black: number;
  /** Whether neither side can move. */
  over: boolean;
  /** White's discs. */
  white: number;
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
  /** When it was played, for GGF. */
  date?: string;
  /** The server or tournament, for GGF. */
  event?: string;
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
  /** The position after the pass that the side to move must make, if it must. */
  passed: null | PositionView;
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

/** A game under way. */
export type LiveBoard = {
  /** Who plays black. */
  black: string;
  /** Its number, from 1. */
  game: number;
  /** Its moves so far. */
  moves: string;
  /** How long black and white have thought. */
  seconds: number[];
  /** The position it began with, unless that was the start of the board. */
  start: string | null;
  /** Who plays white. */
  white: string;
};

/** How the games under way have changed. */
export type LiveChange = {
  /** Games that have begun or gone on. */
  boards: LiveBoard[];
  /** The numbers of games that are over. */
  ended: number[];
  /** Programs that wait for their tests, if they are others than before. */
  queue: string[] | null;
  /** Programs that are being tested, if they are others than before. */
  testing: string[] | null;
};

/** What is going on. */
export type LiveView = {
  /** Games under way. */
  boards: LiveBoard[];
  /** Programs that wait for their tests. */
  queue: string[];
  /** Programs that are being tested. */
  testing: string[];
};

/** How bad a move is. */
export type Mark = "" | "?!" | "?" | "??";

/** A match to be played. */
export type MatchRequest = {
  /** A player, as in `turncoat:level=3`. */
  first: string;
  /** How many games; an even number, since colours are swapped. */
  games: number;
  /** Its opponent. */
  second: string;
  /** Seconds for a move. */
  seconds: number;
  /** Squares a side. */
  size: number;
  /** `reversed` or `reversi`. */
  variant: string;
};

/** How a match stands. */
export type MatchView = {
  /** Why it ended before its last game, if that was not asked for. */
  error: string | null;
  /** Games played. */
  games: number;
  /** Its players; none if there was no match yet. */
  players: string[];
  /** Whether it is being played. */
  running: boolean;
  /** The file of its games. */
  store: string | null;
  /** Games in all. */
  total: number;
};

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

/** The name of an opening. */
export type OpeningNameView = {
  /** In Chinese. */
  chinese: string;
  /** In English. */
  english: string;
  /** In Japanese. */
  japanese: string;
  /** The moves that lead to it. */
  line: string;
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

/** The token of a program: its bearer sees what that program printed. */
export type ProgramToken = {
  token: string;
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
  /** Discs lost by the move, to a tenth: what is read is what is marked. */
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

/** Where a player stood after a game. */
export type StandingPoint = {
  /** Half the width of the 95 % interval. */
  error: number;
  /** The game's number, from 1. */
  game: number;
  /** Its place. */
  rank: number;
  /** Its rating. */
  rating: number;
  /** Which of its versions played. */
  version: number;
};

/** How generations fared against a yardstick. */
export type YardstickView = {
  /** The yardstick. */
  player: string;
  /** Generations, and the share of games won in each; or rounds, and their Elo. */
  points: ([number, number])[];
};
