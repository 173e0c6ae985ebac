import type { PolicyContext } from "../context.ts";
import type { Argument } from "./argument.ts";
import { TooMuch } from "./too-much.ts";

/** So many commands of one script are judged, those of a loop for each of its values. */
const MOST_COMMANDS = 1_000;

/** What is known while a script is gone through: where the shell may stand, and which variables have which value. */
export class Scope {
  private constructor(
    readonly context: PolicyContext,
    /** Every folder the shell may stand in; null where that is not known. */
    public folders: readonly string[] | null,
    private readonly values: Map<string, Argument>,
    /** How often the whole script assigns each name. */
    readonly assigned: ReadonlyMap<string, number>,
    private readonly budget: { left: number },
  ) {}

  /** False while it is open whether what is judged runs at all. */
  private certain = true;

  static of(context: PolicyContext, assigned: ReadonlyMap<string, number>): Scope {
    return new Scope(context, [context.cwd], new Map(), assigned, { left: MOST_COMMANDS });
  }

  /** For what cannot change the shell it comes from: a subshell, a part of a pipeline, a substitution. */
  fork(): Scope {
    return new Scope(this.context, this.folders, new Map(this.values), this.assigned, this.budget);
  }

  /** Counts a command, and throws when there were too many. */
  spend(): void {
    if (this.budget.left-- <= 0) throw new TooMuch();
  }

  value(name: string): Argument | null {
    return this.values.get(name) ?? null;
  }

  /** Only what is assigned once, in a straight line, is sure to have its value later. */
  assign(name: string, value: Argument): void {
    if (this.certain && this.assigned.get(name) === 1) this.values.set(name, value);
  }

  /** A loop's own variable has its value in the loop's body, wherever the loop is. */
  bind(name: string, value: Argument): void {
    if (this.assigned.get(name) === 1) this.values.set(name, value);
  }

  /** Judges what may or may not run. */
  perhaps<T>(judge: () => T): T {
    const before = this.certain;
    this.certain = false;
    const found = judge();
    this.certain = before;
    return found;
  }

  forget(name: string): void {
    this.values.delete(name);
  }
}
