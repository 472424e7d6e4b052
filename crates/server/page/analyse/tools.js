// @ts-check
// What can be done with an analysis: open another game, set one up, share it, save it.

import { asFault } from "../base/client.js";
import { button, fill, make, setText } from "../base/dom.js";
import { FORMATS, leavesOut, saveAs } from "./exports.js";
import { createOpen } from "./open.js";
import { createShare } from "./share.js";

/**
 * @param {import("./model.js").AnalysisModel} analysis
 * @param {import("../base/speech.js").Speech} speech
 * @param {import("../base/toast.js").Toast} toast
 * @param {() => void} setUp
 * @param {ReturnType<typeof import("./collection.js").createCollection>} collection
 */
export function createTools(analysis, speech, toast, setUp, collection) {
  const { store } = analysis;
  const open = createOpen(analysis, speech, collection);
  const { share, panel, said } = createShare(analysis, speech);

  const save = speech.named(make("select", { name: "save" }), "saveAs");
  speech.always(() =>
    fill(save, [["", speech.words("saveAs")], .../** @type {[string, string][]} */ (FORMATS.map((f) => [f, speech.words(f)]))], ""),
  );
  save.addEventListener("change", async () => {
    const format = FORMATS.find((known) => known === save.value);
    save.value = "";
    const saved = store.get();
    try {
      if (format) await saveAs(saved, format, speech);
      if (format && leavesOut(saved, format)) toast.tell(() => speech.words("lineOnly"));
    } catch (error) {
      setText(said, speech.words("failed", { error: speech.fault(asFault(error)) }));
    }
  });

  const parts = [speech.says(button("set-up", setUp), "setUp"), speech.says(button("share", share), "share"), save];
  /** Before there is a position nothing can be done with it. */
  const show = () => parts.forEach((part) => part.toggleAttribute("disabled", store.get().tree === null));
  store.subscribe((now, before) => now.tree !== before.tree && show());
  show();

  return make(
    "div",
    { class: "exchange" },
    make(
      "div",
      { class: "actions" },
      speech.says(button("paste", open.open), "paste"),
      ...parts,
    ),
    panel,
    said,
    open.element,
  );
}
