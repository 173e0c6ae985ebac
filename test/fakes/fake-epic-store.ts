import { Failed } from "../../src/core/failure/failed.ts";
import type { EpicStore, StoredEpic } from "../../src/ports/epic-store.ts";

/** Epics by place. `unreachable` makes every call reject; `before` lets somebody else write between a read and a save. */
export class FakeEpicStore implements EpicStore {
  readonly texts = new Map<string, string>();
  unreachable = false;
  saves = 0;
  before: (() => void) | null = null;

  async read(place: string): Promise<StoredEpic | null> {
    this.check(place);
    const text = this.texts.get(place);
    return text === undefined ? null : { text, version: `v${text}` };
  }

  async save(place: string, text: string, version: string | null): Promise<boolean> {
    this.check(place);
    this.before?.();
    const found = this.texts.get(place);
    if ((found === undefined ? null : `v${found}`) !== version) return false;
    this.texts.set(place, text);
    this.saves++;
    return true;
  }

  async list(folder: string): Promise<string[]> {
    this.check(folder);
    return [...this.texts.keys()].filter((place) => place.startsWith(`${folder}/`) && place.endsWith(".md")).sort();
  }

  private check(path: string): void {
    if (this.unreachable) throw new Failed({ kind: "file.failed", path, detail: "it cannot be reached" });
  }
}
