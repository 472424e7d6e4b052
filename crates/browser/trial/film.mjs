// The moving picture of the README: a game on the page and its analysis, as the browser draws them. `cargo xtask film` calls
// this with the site, the browser and a folder for the frames; it prints each frame's file and milliseconds.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "./host.mjs";

const [site, browser, frames] = process.argv.slice(2);
const SIZE = { width: 1180, height: 800, deviceScaleFactor: 0.75, mobile: false };
const PATIENCE = 60_000;
/** The opponent, and how deep the analysis is looked at. */
const LEVEL = "turncoat:level=2";
const DEPTHS = [4, 6, 8, 10, 12];

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const profile = join(frames, "profile");
const words = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--lang=en", `--user-data-dir=${profile}`];
const child = spawn(browser, [...words, "--remote-debugging-pipe", "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });

/** Calls of the debugging protocol that wait for their answers. */
const waiting = new Map();
let heard = "";
child.stdio[4].on("data", (part) => {
  const messages = (heard + part).split("\0");
  heard = messages.pop();
  for (const message of messages.map((text) => JSON.parse(text))) {
    waiting.get(message.id)?.(message);
    waiting.delete(message.id);
  }
});
let calls = 0;
let session;
async function call(method, params = {}) {
  const id = ++calls;
  const answer = new Promise((resolve) => waiting.set(id, resolve));
  child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: session })}\0`);
  const { result, error } = await answer;
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

async function value(expression) {
  const { result, exceptionDetails } = await call("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
  if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
  return result.value;
}

async function until(expression) {
  for (const began = Date.now(); !(await value(`Boolean(${expression})`)); await pause(25)) {
    if (Date.now() - began > PATIENCE) throw new Error(`never: ${expression}`);
  }
}

/** Clicks on the element of an expression, as a mouse does. */
async function click(expression) {
  const place = `(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))((${expression}).getBoundingClientRect())`;
  await value(`(${expression}).scrollIntoView({ block: 'nearest' })`);
  const { x, y } = await value(place);
  for (const type of ["mousePressed", "mouseReleased"]) {
    await call("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 });
  }
  // Nothing is pointed at in the picture.
  await call("Input.dispatchMouseEvent", { type: "mouseMoved", x: 1, y: 1 });
}

let shown = 0;
/** Takes a frame that is shown this long. */
async function frame(milliseconds) {
  await pause(80);
  const { data } = await call("Page.captureScreenshot");
  const path = join(frames, `${String(shown++).padStart(3, "0")}.png`);
  writeFileSync(path, Buffer.from(data, "base64"));
  console.log(`${path}\t${milliseconds}`);
}

/** Plays a game against the engine, on no plan at all. */
async function play() {
  await until("document.querySelector('.play .cell.legal')");
  await value(`(() => { const it = document.querySelector('.choice [name=white]'); it.value = '${LEVEL}'; it.dispatchEvent(new Event('change')); })()`);
  await click("document.querySelector('.choice button')");
  await value("scrollTo(0, 0)");
  await until("document.querySelector('.play .cell.legal')");
  await frame(1200);
  const myTurn = "document.querySelector('.play .cell.legal')";
  const over = "/wins by|A draw/.test(document.querySelector('.play .status').textContent)";
  const made = "document.querySelector('.transcript').textContent.split(' ').filter(Boolean).length";
  for (let turn = 0; !(await value(over)); turn++) {
    const before = await value(made);
    const legal = "document.querySelectorAll('.play .cell.legal')";
    await click(`${legal}[${turn * 7} % ${legal}.length]`);
    await until(`${made} > ${before}`);
    await until(`${myTurn} || ${over}`);
    await frame(turn < 6 ? 600 : 180);
  }
  await frame(1500);
}

/** Has the game analysed, and looks at what decided it. */
async function analyse() {
  await click("[...document.querySelectorAll('.play a, .play button')].find((it) => /Analyse/.test(it.textContent))");
  await until("document.querySelectorAll('.mistakes li').length > 20");
  await value("scrollTo(0, 0)");
  await frame(1200);
  for (const [turn, place] of [12, 20, 28].entries()) {
    await click(`document.querySelector('.mistakes li:nth-child(${place}) .to')`);
    await value("scrollTo(0, 0)");
    for (const depth of DEPTHS.slice(0, turn === 0 ? 5 : 3)) {
      await until(`Number(document.querySelector('.depth')?.dataset.depth) >= ${depth} || document.querySelector('.score.exact')`);
      await frame(depth === DEPTHS[0] ? 500 : 900);
    }
  }
  await frame(1500);
}

const { address, close } = await serve(site);
try {
  const { targetInfos } = await call("Target.getTargets");
  const { targetId } = targetInfos.find(({ type }) => type === "page");
  ({ sessionId: session } = await call("Target.attachToTarget", { targetId, flatten: true }));
  await call("Page.enable");
  await call("Emulation.setDeviceMetricsOverride", SIZE);
  await call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-reduced-motion", value: "reduce" }, { name: "prefers-color-scheme", value: "light" }] });
  await call("Page.navigate", { url: address });
  await play();
  await analyse();
} finally {
  child.kill();
  close();
}
// The pipes of the browser would keep this waiting.
process.exit();
