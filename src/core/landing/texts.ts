import type { Finding } from "../messages/finding.ts";
import { counted } from "../text/counted.ts";
import type { Candidate, Landings } from "./landing.ts";

export interface ConflictedFile {
  readonly path: string;
  readonly line: number | null;
  /** The lines as both have them. */
  readonly lines: readonly string[];
  /** What makes it again, where it is generated. */
  readonly command?: string;
}

/** Why a branch cannot be put onto what is before it. `met`: staged branches that touch the same files. */
export function conflictFinding(target: string, files: readonly ConflictedFile[], met: readonly string[]): Finding {
  const [first] = files;
  const onto = met.length === 0 ? target : `${target} with ${met.join(", ")}`;
  const hints = files.flatMap(({ path, command }) =>
    command === undefined ? [] : [`; ${path} is made again by \`${command}\``],
  );
  const where = files.length > 1 ? `: ${files.map(({ path }) => path).join(", ")}` : "";
  return {
    tag: "regression",
    kind: "conflict",
    message: `does not apply onto ${onto}: ${counted(files.length, "file")} in conflict${where}. Rebase onto ${target}, resolve it and commit${hints.join("")}`,
    ...(first && { file: first.path, lines: first.lines }),
    ...(first?.line !== null && first !== undefined && { line: first.line }),
  };
}

/** What the gates said of a train that this branch has turned red, naming those before it. */
export const metBy = (findings: readonly Finding[], earlier: readonly string[]): Finding[] =>
  earlier.length === 0
    ? [...findings]
    : findings.map((finding) => ({
        ...finding,
        tag: "regression",
        kind: "regression",
        message: `${finding.message} (tested on top of ${earlier.join(", ")})`,
      }));

export const rebaseText = (target: string): Finding => ({
  tag: "regression",
  kind: "conflict",
  message: `does not contain ${target} as it is now, and only such branches are taken here (ff-only). Rebase onto ${target} and commit`,
});

/** The last word of a landing, for everybody. */
export function summaryText({ queue, target, runs }: Landings): string {
  const those = (state: Candidate["state"]) => queue.filter((each) => each.state === state);
  const names = (list: readonly Candidate[]) => list.map(({ branch }) => branch).join(", ");
  const reasons = (list: readonly Candidate[]) =>
    list.map(({ branch, because }) => `${branch} (${because})`).join(", ");
  const [landed, bounced] = [those("landed"), those("bounced")];
  const left = [...those("skipped"), ...those("waiting")];
  return [
    landed.length === 0 ? `nothing landed on ${target}` : `landed on ${target}: ${names(landed)}`,
    ...(bounced.length > 0 ? [`sent back: ${reasons(bounced)}`] : []),
    ...(left.length > 0 ? [`not landed: ${reasons(left)}`] : []),
    `${counted(runs, "run")} of the gates`,
  ].join("; ");
}
