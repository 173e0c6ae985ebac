import { explain } from "./explain.ts";
import type { Failure } from "./failure.ts";

/** Thrown where a port or an action cannot go on. Anything else that is thrown is a bug of ours, and says so. */
export class Failed extends Error {
  override readonly name = "Failed";
  constructor(readonly failure: Failure) {
    super(explain(failure).message);
  }
}

export const oneOrSeveral = (failures: readonly Failure[]): Failure =>
  failures.length === 1 && failures[0] !== undefined ? failures[0] : { kind: "several", failures };
