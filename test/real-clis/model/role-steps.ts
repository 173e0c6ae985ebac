import { field, listAt, stringAt } from "./read-json.ts";
import type { Step } from "./script.ts";

/**
 * How the model plays a role of an epic, from nothing but what the prompt says: it sends the first candidate to its
 * worker or the last one listed, files a fix for what failed, and as verifier tries to change something first, which
 * nobody may let it do. It fails the item t-2 as long as the file has no failure on record. Null where the text is no
 * role's prompt.
 */
export function roleSteps(text: string): readonly Step[] | null {
  const [, written] = /^The brief, as JSON:\n(.+)$/m.exec(text) ?? [];
  if (written === undefined) return null;
  const brief: unknown = JSON.parse(written);
  const role = stringAt(brief, "role");
  const say = (answer: object): Step => ({ kind: "text", text: JSON.stringify(answer) });
  if (role === "decompose")
    return [say({ action: "decompose", items: [{ title: "First" }, { title: "Second", depends: ["$1"] }] })];
  if (role === "react") {
    const parent = stringAt(brief, "context").split(":")[0];
    return [say({ action: "file_fix_task", parent, title: `Mend ${parent}`, body: "Find out why, and mend it." })];
  }
  if (role === "preflight") {
    const first = field(brief, "candidates", 0);
    const worker = stringAt(first, "worker") || listAt(brief, "workers").at(-1);
    return [say({ action: "dispatch", task_id: field(first, "id"), worker })];
  }
  const fails = stringAt(brief, "item") === "t-2" && !text.includes("verify_fail");
  const verdict = fails ? { verdict: "FAIL", reason: "the test of the seam is red" } : { verdict: "PASS" };
  return [{ kind: "bash", command: "touch changed-by-a-role" }, say(verdict)];
}
