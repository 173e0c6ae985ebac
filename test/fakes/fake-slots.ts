import type { LayOrder, SlotPlace, Slots } from "../../src/ports/slots.ts";
import type { FakeRepository } from "./fake-git.ts";
import { treeName } from "./fake-history.ts";

interface FakeSlot {
  tracked: Record<string, string>;
  others: Record<string, string>;
}

/** Slots in memory; what a gate does to its files is done by whoever plays the gate. */
export class FakeSlots implements Slots {
  readonly slots = new Map<number, FakeSlot>();
  readonly kept = new Map<string, Record<string, string>>();

  constructor(private readonly repo: FakeRepository) {}

  place = (slot: number): SlotPlace => ({
    folder: `/state/scratch/${slot}/work`,
    home: `/state/scratch/${slot}/home`,
    temporary: `/state/scratch/${slot}/tmp`,
  });

  of = (slot: number): FakeSlot => this.slots.get(slot) ?? { tracked: {}, others: {} };

  async lay(slot: number, { commit }: LayOrder): Promise<void> {
    this.slots.set(slot, { tracked: { ...this.repo.tree(commit) }, others: {} });
  }

  async putBack(slot: number, tree: string): Promise<readonly string[]> {
    const held = this.of(slot);
    const right = [...this.repo.commits.values()].find((commit) => treeName(commit.tree) === tree)?.tree ?? {};
    const names = Object.keys(right).filter((name) => held.tracked[name] !== right[name]);
    this.slots.set(slot, { ...held, tracked: { ...right } });
    return names;
  }

  async keep(slot: number, key: string): Promise<void> {
    this.kept.set(`${slot} ${key}`, { ...this.of(slot).others });
  }

  async bring(slot: number, key: string): Promise<boolean> {
    const kept = this.kept.get(`${slot} ${key}`);
    if (kept !== undefined) this.slots.set(slot, { ...this.of(slot), others: { ...kept } });
    return kept !== undefined;
  }

  async clear(): Promise<void> {
    this.slots.clear();
    this.kept.clear();
  }
}
