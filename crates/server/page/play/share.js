// @ts-check
// A result to show to others: a sentence, a picture, and the address of its analysis.

import { save, toPng } from "../analyse/exports.js";
import { addressOf } from "../analyse/link.js";
import { isLocal } from "../analyse/share.js";
import { exportGame } from "../base/client.js";
import { button, make, setText } from "../base/dom.js";
import { onEscape } from "../base/shortcuts.js";
import { result } from "./levels.js";
import { position } from "./state.js";

/**
 * @param {import("../base/store.js").Store<import("./state.js").Play>} store
 * @param {import("../base/speech.js").Speech} speech
 */
export function createShare(store, speech) {
  const told = make("span", { role: "status" });
  /** The picture, which a browser without a dialog for sharing saves. @type {Blob | null} */
  let picture = null;
  const savePicture = speech.says(button("save-picture", () => picture && save(picture, "turncoat.png")), "png");
  const copy = speech.named(make("input", { type: "text", readonly: "" }), "copyThis");
  // Its room is kept from the end of a game on: a pointer may be on what is below.
  const said = make("p", { class: "quiet said" }, told, copy, savePicture);
  const share = speech.says(button("share-result", () => (told.textContent === "" ? void give() : close())), "shareResult");

  /** @param {string} what @param {string} [byHand] what is there to be copied */
  function tell(what, byHand = "") {
    setText(told, what);
    copy.value = byHand;
    copy.hidden = byHand === "";
    savePicture.hidden = what === "" || picture === null;
  }
  tell("");

  function close() {
    // What has the focus is about to go.
    if (said.contains(document.activeElement)) share.focus();
    tell("");
  }
  onEscape(said, close);

  /** The result in a sentence, and where the game can be looked at, if others can. */
  function text() {
    const now = store.get();
    const ended = result(now);
    const end = position(now);
    if (ended === null || end === null || now.game === null) return "";
    const counts = ended.person === "black" ? [end.black, end.white] : [end.white, end.black];
    const phrase = ended.isDraw ? "sharedDraw" : ended.won ? "sharedWin" : "sharedLoss";
    const rule = speech.words(now.variant === "reversed" ? "fewestWin" : "mostWin");
    const told = speech.words(phrase, { level: ended.level, mine: counts[0], theirs: counts[1], rule });
    const line = now.game.moves.filter((move) => move !== "pass").join("");
    const address = new URL(addressOf({ variant: now.variant, size: now.size, start: now.start, line, at: String(now.game.moves.length) }), location.href);
    return isLocal(address.hostname) ? told : `${told}\n${address.href}`;
  }

  async function give() {
    const { variant, size, start, game } = store.get();
    const sentence = text();
    picture = null;
    try {
      const moves = game?.moves.filter((move) => move !== "pass").join("") ?? "";
      picture = await toPng(await exportGame({ variant, size, start, moves }, "svg"));
      const files = [new File([picture], "turncoat.png", { type: "image/png" })];
      if (navigator.canShare?.({ text: sentence, files })) return await navigator.share({ text: sentence, files });
      const both = { "text/plain": new Blob([sentence], { type: "text/plain" }), "image/png": picture };
      // Some browsers take one or the other.
      await (async () => navigator.clipboard.write([new ClipboardItem(both)]))().catch(() => navigator.clipboard.writeText(sentence));
      tell(speech.words("copiedResult"));
    } catch (error) {
      // Who closes the dialog has shared nothing, and knows.
      if (error instanceof DOMException && error.name === "AbortError") return;
      // Where the browser does not let us, it is there to be copied by hand.
      tell(speech.words("copyThis"), sentence.replace("\n", " "));
      copy.select();
    }
  }

  store.subscribe((now, before) => {
    if (now.game !== before.game) tell("");
  });
  return { button: share, said };
}
