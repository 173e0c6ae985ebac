import colors from "picocolors";
import { type Check, diagnose, overall } from "../../core/views/diagnose.ts";
import { type Command, ERROR, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { type Fixed, fix } from "../doctor/fix.ts";
import { lookAtMachine } from "../doctor/look.ts";
import { tryOut } from "../doctor/try-out.ts";

export const command: Command = {
  name: "doctor",
  summary: "Check the machine, the repository, its config and its session, and say how to fix problems",
  options: [
    { flags: "--fix", help: "Fix what can be fixed without losing anything, and say what was fixed." },
    { flags: "--live", help: "Also run a real session in a temporary repository and a private tmux server." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman doctor", does: "prints ok, warn or fail for each check, with a remedy; exit code 1 after a fail" },
    { run: "banksman doctor --fix --live", does: "fixes what is safe to fix, then tests everything" },
    { run: "banksman doctor --json | jq '.checks[] | select(.status != \"ok\")'", does: "prints only the problems" },
  ],
  async run({ options }, io) {
    const found = diagnose(await lookAtMachine(io));
    const fixed = options.fix ? await fix(found, io) : [];
    const known = fixed.length === 0 ? found : diagnose(await lookAtMachine(io));
    const checks = [...known, ...(options.live ? await tryOut(io) : [])];
    const status = overall(checks);
    if (options.json) printJson(io, { status, checks: checks.map(shown), ...(options.fix && { fixed }) });
    else print(io, fixed, checks);
    return status === "fail" ? ERROR : OK;
  },
};

const shown = ({ fix: _, ...check }: Check) => check;

function print(io: Io, fixed: readonly Fixed[], checks: readonly Check[]): void {
  for (const { name, did, ok } of fixed)
    io.out(`${ok ? colors.green("fixed") : colors.red("not fixed")}  ${name}: ${did}\n`);
  for (const { name, status, detail, remedy } of checks)
    io.out(`${MARKS[status]}  ${name}: ${detail}\n${remedy === "" ? "" : `      ${remedy}\n`}`);
}

const MARKS = { ok: colors.green("ok  "), warn: colors.yellow("warn"), fail: colors.red("fail") };
