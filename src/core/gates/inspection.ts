import type { Commit } from "../text/ids.ts";
import type { TestMeasure } from "./measure-tests.ts";

/** What a branch changes since it left the base, as far as its gates are concerned. Observed, and bounded. */
export interface Inspection {
  readonly base: Commit;
  /** What the branch's own work begins with: where it left the base's history, or what it has landed already. */
  readonly since: Commit;
  readonly commit: Commit;
  readonly tree: string;
  readonly baseTree: string;
  readonly changes: readonly FileChange[];
  /** How many more there are than can be named. */
  readonly more: number;
  /** Files that decide what gates run, with the parts that are not as they were. */
  readonly inputs: readonly ChangedInput[];
  /** Files with tests, as they were and as they are. */
  readonly tests: readonly TestFileChange[];
  /** Files in which it takes away again what has landed since, with who landed it. */
  readonly undone: readonly UndoneFile[];
  /** Files of its own that differ from another only in upper and lower case. */
  readonly collisions?: readonly (readonly [string, string])[];
}

/** `about` is what git calls its content before and after: what a person accepts is that very change. */
export interface ChangedInput {
  readonly path: string;
  readonly parts: readonly string[];
  readonly about: string;
}

export interface UndoneFile {
  readonly path: string;
  readonly landed: string;
  readonly lines: number;
  readonly about: string;
}

export interface FileChange {
  readonly path: string;
  readonly how: "added" | "changed" | "deleted" | "renamed";
  /** The name it had. */
  readonly from?: string;
}

export interface TestFileChange {
  readonly path: string;
  readonly before: TestMeasure;
  readonly after: TestMeasure;
  readonly deleted: boolean;
  /** It is deleted or has fewer tests, and these are in no other file that the branch changes. */
  readonly lost?: true;
  /** What it held cannot be compared: a link, no text, or too large. */
  readonly unread?: true;
  readonly about: string;
}
