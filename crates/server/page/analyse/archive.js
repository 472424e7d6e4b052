// @ts-check
// Saving all kept games into one file and reading them back, where this browser keeps them.

import { archive } from "../base/backend.js";
import { asFault } from "../base/client.js";
import { button, make, setText } from "../base/dom.js";

/**
 * @param {import("../base/speech.js").Speech} speech
 * @param {() => void} onRead other games are kept now
 * @returns {HTMLElement | null} nothing where a server keeps the games
 */
export function createArchive(speech, onRead) {
  const all = archive;
  if (all === null) return null;
  const said = make("p", { class: "quiet", role: "status" });
  const file = make("input", { type: "file", name: "archive", accept: ".json,application/json", hidden: "" });

  /** @param {() => Promise<string>} action what to say afterwards */
  const act = (action) => async () => {
    try {
      setText(said, await action());
    } catch (error) {
      setText(said, speech.words("failed", { error: speech.fault(asFault(error)) }));
    }
  };
  const save = act(async () => {
    const address = URL.createObjectURL(new Blob([await all.save()], { type: "application/json" }));
    make("a", { href: address, download: "turncoat-games.json" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
    return "";
  });
  const read = act(async () => {
    const [chosen] = file.files ?? [];
    const text = await chosen?.text();
    // The same file may be chosen again.
    file.value = "";
    const found = text === undefined ? null : await all.load(text);
    if (found === null) return speech.words("noArchive");
    onRead();
    const { added, refused, fault } = found;
    const told = fault === null ? "" : ` ${speech.words("failed", { error: speech.fault(fault) })}`;
    return speech.words("archiveRead", { added, refused }) + told;
  });
  file.addEventListener("change", read);
  const saveAll = speech.says(button("save-all", save), "saveAll");
  const readAll = speech.says(button("read-all", () => file.click()), "readAll");
  return make("div", {}, make("div", { class: "actions" }, saveAll, readAll), file, said);
}
