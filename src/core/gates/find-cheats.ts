import type { Finding } from "../messages/finding.ts";
import { counted } from "../text/counted.ts";
import type { Inspection, TestFileChange } from "./inspection.ts";

/**
 * Where a branch changes what decides over it: what gates run, and the tests themselves. None of it has to be wrong, so it
 * is not a failure; but none of it can be judged by the gates that it changes, so a person has to say yes.
 */
export function findCheats(inspection: Inspection): Finding[] {
  return [...changedInputs(inspection), ...weakenedTests(inspection.tests), ...undoneWork(inspection)];
}

const cheat = (message: string, file: string, about: string): Finding => ({
  tag: "testing",
  kind: "cheat",
  message,
  file,
  about,
});

const changedInputs = ({ inputs }: Inspection): Finding[] =>
  inputs.map(({ path, parts, about }) => {
    const named = parts.filter((part) => part !== path);
    const what = named.length === 0 ? "" : ` (${named.slice(0, 5).join(", ")}${named.length > 5 ? ", …" : ""})`;
    return cheat(`the branch changes what its own gates run${what}`, path, about);
  });

/** Tests that moved from one file to another are no fewer: what a file lost counts only where all of them together lost. */
function weakenedTests(files: readonly TestFileChange[]): Finding[] {
  const sum = (of: (file: TestFileChange) => number) => files.reduce((total, file) => total + of(file), 0);
  const fewerTests = sum(({ after, before }) => after.tests - before.tests) < 0;
  const fewerAssertions = sum(({ after, before }) => after.assertions - before.assertions) < 0;
  return files.flatMap(({ path, before, after, deleted, lost, about, unread }) => {
    if (unread)
      return [cheat("the branch changes tests that cannot be read: a link, no text, or too large", path, about)];
    if (after.skips > before.skips)
      return [cheat(`the branch switches off ${counted(after.skips - before.skips, "test")}`, path, about)];
    if (after.ends > before.ends && before.tests + before.assertions > 0)
      return [cheat("the branch ends this file of tests early, or keeps a part of it from being reached", path, about)];
    if (deleted && (lost || fewerTests) && before.tests > 0)
      return [cheat(`the branch deletes ${counted(before.tests, "test")}`, path, about)];
    if (lost && deleted) return [cheat("the branch deletes this file of tests", path, about)];
    if (!deleted && before.assertions > 0 && after.assertions === 0)
      return [cheat("the branch leaves no assertion in this file of tests", path, about)];
    if ((lost || fewerTests) && after.tests < before.tests)
      return [cheat(`the branch removes ${counted(before.tests - after.tests, "test")}`, path, about)];
    if (fewerAssertions && after.assertions < before.assertions)
      return [cheat(`the branch removes ${counted(before.assertions - after.assertions, "assertion")}`, path, about)];
    return [];
  });
}

const undoneWork = ({ undone }: Inspection): Finding[] =>
  undone.map(({ path, landed, lines, about }) => ({
    tag: "regression",
    kind: "stale",
    message: `the branch takes back ${counted(lines, "line")} that ${landed} has landed`,
    file: path,
    about,
  }));
