import { isCorrupt } from "../../core/epic/file/epic.ts";
import { renderEpic } from "../../core/epic/file/render.ts";
import type { EpicStore } from "../../ports/epic-store.ts";
import { readEpic } from "./read-epic.ts";

const TRIES = 5;

interface Settled {
  readonly place: string;
  readonly called: string;
  readonly key: string;
  readonly failed: string | null;
}

/**
 * Takes the intent out of the file, or notes why it failed. Over whatever a person wrote meanwhile; where that cannot be
 * done, the next tick asks for the dispatch again, by the same key.
 */
export async function saveSettled(store: EpicStore, { place, called, key, failed }: Settled): Promise<void> {
  for (let i = 0; i < TRIES; i++) {
    const stored = await store.read(place);
    const epic = stored?.text == null ? null : await readEpic(stored.text, called);
    if (stored === null || epic === null || isCorrupt(epic) || epic.intent?.key !== key) return;
    const intent = failed === null ? null : { ...epic.intent, failed };
    if (await store.save(place, renderEpic({ ...epic, intent }), stored.version)) return;
  }
}
