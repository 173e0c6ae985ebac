import type { Epic } from "../../core/epic/file/epic.ts";
import { renderEpic } from "../../core/epic/file/render.ts";
import { Failed } from "../../core/failure/failed.ts";
import type { EpicStore } from "../../ports/epic-store.ts";
import type { Io } from "../command.ts";
import { openEpic } from "./locate.ts";

const TRIES = 5;

/** What a person changes: over whatever a tick wrote meanwhile. */
export async function changeEpic(name: string, store: EpicStore, io: Io, change: (epic: Epic) => Epic): Promise<Epic> {
  for (let i = 0; i < TRIES; i++) {
    const { place, epic, version } = await openEpic(name, store, io);
    const changed = change(epic);
    const text = renderEpic(changed);
    if (text === epic.origin.text || (await store.save(place, text, version))) return changed;
  }
  throw new Failed({ kind: "epic.moved", path: name });
}
