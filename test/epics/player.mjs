// Plays the roles of an epic without a model: takes the first candidate, files a fix for what failed, and fails once what
// FAIL_ONCE names. Prompt and brief come on standard input; BANKSMAN_SCRIPTS is where it remembers.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

let input = "";
for await (const chunk of process.stdin) input += chunk;
const brief = JSON.parse(/The brief, as JSON:\n(.*)\n/.exec(input)[1]);
const worker = process.argv[2] ?? "claude";
const failing = process.argv[3] ?? "";
const say = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

if (process.env.BANKSMAN_ROLE === "verifier") {
  const mark = join(process.env.BANKSMAN_SCRIPTS, `failed-${failing}`);
  if (brief.item === failing && !existsSync(mark)) {
    writeFileSync(mark, "");
    say({ verdict: "FAIL", reason: "the test of the seam is red" });
  } else say(brief.pr === "none" ? { verdict: "FAIL", reason: "nothing is there" } : { verdict: "PASS" });
} else if (process.env.BANKSMAN_ROLE === "critic") say({ verdict: "SAFE_TO_DISPATCH", reason: "it can be taken back" });
else if (brief.role === "react") {
  const parent = brief.context.split(":")[0];
  say({ action: "file_fix_task", parent, title: `Mend ${parent}`, body: "Find out why, and mend it." });
} else if (brief.role === "decompose")
  say({ action: "decompose", items: [{ title: "First" }, { title: "Second", depends: ["$1"] }] });
else say({ action: "dispatch", task_id: brief.candidates[0].id, worker: brief.candidates[0].worker || worker });
