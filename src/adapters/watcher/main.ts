import { createInterface } from "node:readline";
import { Failed } from "../../core/failure/failed.ts";
import { createParcelWatcher } from "./parcel.ts";
import type { Ask, Word } from "./words.ts";

/** The watching process: native code that may hang or crash, away from the supervisor. It ends when nobody asks any more. */
function main(): void {
  const watcher = createParcelWatcher();
  const ends = new Map<number, () => Promise<void>>();
  const say = (word: Word) => void process.stdout.write(`${JSON.stringify(word)}\n`);
  const answer = async (ask: Ask): Promise<void> => {
    if (ask.do === "ping") return say({ say: "pong" });
    const { id } = ask;
    if (ask.do === "end") {
      await ends.get(id)?.();
      ends.delete(id);
      return say({ say: "ended", id });
    }
    try {
      const onChanged = (paths: readonly string[]) => say({ say: "changed", id, paths });
      const onLost = (detail: string) => say({ say: "lost", id, detail });
      ends.set(id, await watcher.watch({ folder: ask.folder, ignore: ask.ignore, onChanged, onLost }));
      say({ say: "watching", id });
    } catch (error) {
      const known = error instanceof Failed && error.failure.kind === "watch.refused" ? error.failure.detail : null;
      say({ say: "refused", id, detail: known ?? String(error) });
    }
  };
  const lines = createInterface({ input: process.stdin });
  lines.on("line", (line) => void answer(JSON.parse(line) as Ask));
  lines.on("close", () => process.exit(0));
  process.stdout.on("error", () => process.exit(0));
}

main();
