// The installed package in Node.js and in a browser, beside the program: `cargo xtask dist try npm` calls this in the folder
// that it is installed in, with the program and the browser.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { serve } from "./host.mjs";

const [program, browser] = process.argv.slice(2);
const PATIENCE = 120_000;

/** What the program prints as JSON, a line at a time. */
const native = (...words) =>
  execFileSync(program, [...words, "--json"], { encoding: "utf8" }).trim().split("\n").map((line) => JSON.parse(line));

/** The lines of the README's example, as the program knows them. */
function exampleByProgram() {
  const [chosen] = native("move", "f5d6c3", "--player", "turncoat:level=8", "--seed", "1");
  const best = native("analyze", "f5d6c3", "--depth", "10", "--threads", "1")[0];
  const legal = native("analyze", "f5d6c3", "--depth", "1").map(({ move }) => move);
  const [solved] = native("solve", "--size", "4", "--all-moves", "--no-book");
  return [
    `legal ${legal.sort(bySquare).join(" ")}`,
    `players ${native("players").map(({ name }) => name).join(" ")}`,
    `chosen ${chosen.move} ${chosen.score}`,
    `best 10 ${best.move} ${best.score}`,
    ...solved.moves.map(({ move, score }) => `proven ${move} ${score}`).sort(),
  ];
}
const bySquare = (a, b) => (a[1] + a[0] < b[1] + b[0] ? -1 : 1);

/** Games and players that are asked besides. */
const ASKED = [
  ["reversed", 8, "f5d6c3d3c4", "turncoat:level=12"],
  ["reversi", 8, "f5d6c3d3c4", "turncoat:level=12"],
  ["reversed", 6, "c2b2a2", "turncoat:level=11"],
  ["reversi", 6, "c2b2a2", "turncoat:level=11"],
  ["reversed", 4, "b1", "turncoat:level=10"],
  ["reversed", 8, "f5d6c3", "gene45:depth=4"],
  ["reversi", 8, "f5f6e6f4", "six-stage:depth=4"],
  ["reversed", 8, "f5", "greedy"],
];
const movesByProgram = () =>
  ASKED.map(([variant, size, moves, player]) => {
    const words = ["--variant", variant, "--size", String(size), "--threads", "1", "--seed", "1"];
    const [{ move, score, nodes }] = native("move", moves, "--player", player, ...words);
    return `${player} ${move} ${score} ${nodes}`;
  });
const MOVES = `
import { chooseMove, Fault, readGame } from "turncoat";
for (const [variant, size, moves, player] of ${JSON.stringify(ASKED)}) {
  const { move, score, nodes } = await chooseMove({ game: { variant, size, moves }, player, seed: 1 });
  console.log(player, move, score, nodes);
}
const refused = await readGame({ moves: "f5f5" }).catch((fault) => fault);
if (!(refused instanceof Fault) || refused.code !== "occupied") throw new Error("a bad game is not refused");
const withdrawn = chooseMove({ game: {}, player: "turncoat:level=20" }, { signal: AbortSignal.timeout(300) });
if ((await withdrawn.catch(({ name }) => name)) !== "TimeoutError") throw new Error("a search is not withdrawn");
`;

const inNode = (script) => execFileSync(process.execPath, [script], { encoding: "utf8", timeout: PATIENCE }).trim().split("\n");

/** The page that runs a script and sends what it prints. */
const page = (script) => `<!doctype html><script type="importmap">{"imports": {"turncoat": "./node_modules/turncoat/index.js"}}</script>
<script type="module">
  const lines = [];
  console.log = (...words) => lines.push(words.map(String).join(" "));
  const failed = await import("./${script}").then(() => null, (error) => String(error?.stack ?? error));
  await fetch("./done", { method: "POST", body: JSON.stringify({ lines, failed }) });
</script>`;

/** The lines that a script prints in the browser, from a host that only sends files. */
async function inBrowser(script) {
  let done;
  const heard = new Promise((resolve) => (done = resolve));
  const { address, close } = await serve(".", { index: page(script), onPosted: (body) => done(JSON.parse(body)) });
  const words = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--user-data-dir=browser"];
  // Debian's command is a script that does not hand signals on: its group is ended.
  const child = spawn(browser, [...words, address], { stdio: "ignore", detached: true });
  const late = setTimeout(() => done({ failed: "the page has not answered" }), PATIENCE);
  const { lines, failed } = await heard;
  clearTimeout(late);
  process.kill(-child.pid, "SIGKILL");
  close();
  assert.equal(failed, null);
  return lines;
}

/** Moves of the same score are in no order. */
const sorted = (lines) => [...lines.filter((line) => !line.startsWith("proven")), ...lines.filter((line) => line.startsWith("proven")).sort()];
writeFileSync("moves.mjs", MOVES);
for (const [script, expected] of [["example.mjs", exampleByProgram()], ["moves.mjs", movesByProgram()]]) {
  for (const [place, run] of [["Node.js " + process.version, inNode], ["the browser", inBrowser]]) {
    const began = Date.now();
    assert.deepEqual(sorted(await run(script)), expected, place);
    console.log(`${script} in ${place}: ${expected.length} answers are those of the program, ${(Date.now() - began) / 1000} s`);
  }
}
