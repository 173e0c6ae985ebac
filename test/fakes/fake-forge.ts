import { Failed } from "../../src/core/failure/failed.ts";
import type { Failure } from "../../src/core/failure/failure.ts";
import type { Issue } from "../../src/core/specs/issue.ts";
import type { Forge } from "../../src/ports/forge.ts";

/** A forge in memory. */
export class FakeForge implements Forge {
  readonly issues = new Map<number, Issue>();
  readonly pulls = new Set<number>();
  /** Set, every question ends so. */
  failure: Failure | null = null;

  async issue(number: number): Promise<Issue> {
    if (this.failure !== null) throw new Failed(this.failure);
    const found = this.issues.get(number);
    if (found !== undefined) return found;
    throw new Failed({ kind: "issue.unknown", number, is: this.pulls.has(number) ? "pull request" : null });
  }
}
