import colors from "picocolors";
import { type Check, diagnose, overall } from "../../core/diagnose.ts";
import { type Command, ERROR, type Io, JSON_OPTION, OK, printJson } from "../command.ts";
import { type Fixed, fix } from "../doctor/fix.ts";
import { lookAtMachine } from "../doctor/look.ts";
import { tryOut } from "../doctor/try-out.ts";

export const command: Command = {
  name: "doctor",
  summary: "Look at the machine, the repository, its config and its session, and say what to mend",
  options: [
    { flags: "--fix", help: "Mend what can be mended without a loss, and say what was done." },
    { flags: "--live", help: "Also try it out: a temp repository, a private tmux server, a supervisor on loopback." },
    JSON_OPTION,
  ],
  examples: [
    { run: "banksman doctor", does: "ok, warn or fail, with a remedy each; exit code 1 for a fail" },
    { run: "banksman doctor --fix --live", does: "mends what is safe to mend, then sees everything really work" },
    { run: "banksman doctor --json | jq '.checks[] | select(.status != \"ok\")'", does: "only what is not ok" },
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
