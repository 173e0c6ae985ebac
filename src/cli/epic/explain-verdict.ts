import { isMalformed, parseCritic, parsePlanner, parseVerifier } from "../../core/epic/decide/answers.ts";
import { scanWorkarounds } from "../../core/epic/decide/scan-workarounds.ts";
import { Failed } from "../../core/failure/failed.ts";
import { onOneLine } from "../../core/text/printable.ts";
import { type Io, OK, printJson } from "../command.ts";

const PARSERS = {
  planner: parsePlanner,
  verifier: parseVerifier,
  critic: parseCritic,
  pauli: parsePlanner,
  marsha: parseVerifier,
};

/** What a role's answer is read as, whatever the epic; and the sentences in it that route around a check. */
export function explainVerdict(role: string, json: boolean, text: string, io: Io): number {
  const parse = Object.hasOwn(PARSERS, role) ? PARSERS[role as keyof typeof PARSERS] : undefined;
  if (parse === undefined) {
    const message =
      role === "" ? "It has to be said whose verdict it is." : `There is no role ${JSON.stringify(role)}.`;
    throw new Failed({ kind: "usage", message, hint: "Use `--role planner`, `verifier` or `critic`." });
  }
  const read = parse(text);
  const workarounds = isMalformed(read) ? [] : scanWorkarounds(proseOf(read));
  const answer = isMalformed(read)
    ? { ok: false, why: read.malformed }
    : { ok: workarounds.length === 0, answer: read };
  if (json) printJson(io, { role, ...answer, workarounds });
  else {
    io.out(isMalformed(read) ? `Malformed: ${read.malformed}.\n` : `${JSON.stringify(read)}\n`);
    for (const { rule, passage } of workarounds) io.out(`Routes around a check (${rule}): ${onOneLine(passage)}\n`);
  }
  return OK;
}

/** Every text in it that somebody would read. */
const proseOf = (answer: object): string =>
  Object.values(answer)
    .flatMap((value) =>
      Array.isArray(value) ? value.map((each) => proseOf(each as object)) : typeof value === "string" ? [value] : [],
    )
    .join("\n");
