import type { Chapter, DemoStage } from "../stage.ts";

/** Six items, agents of the session in their own worktrees, one verdict that is a FAIL, one fix. */
export const sixItems: Chapter = {
  title: "An epic: six work items, one failure, one fix",
  async play(stage) {
    lay(stage);
    stage.say("One goal in one markdown file. Planner and verifier are a script here, the workers scripted agents.\n");
    await stage.show("trust", "--yes");
    await stage.show("epic", "show", "greenhouse");
    stage.say("You queue it; from here it moves by itself, one decision per tick:\n");
    await stage.show("epic", "promote", "greenhouse");
    await stage.show("epic", "loop", "greenhouse");
    await stage.show("epic", "show", "greenhouse");
    stage.say("Every item is on a branch for you to review. Nothing was merged: that is yours.");
  },
};

function lay(stage: DemoStage): void {
  const argv = JSON.stringify([process.execPath, `${stage.folder}/roles.mjs`]);
  const role = (name: string) => `[roles.${name}]\ncommand = ${argv}\n`;
  stage.write("../roles.mjs", ROLES);
  stage.write(".banksman/config.toml", `${role("planner")}\n${role("verifier")}\n[workers.scripted]\ncapacity = 3\n`);
  stage.write(".banksman/epics/greenhouse.md", EPIC);
}

const ITEMS = [
  ["sensor", "Read the humidity sensor", "—"],
  ["report", "Write a daily report", "sensor"],
  ["alert", "Alert below 5 °C", "sensor"],
  ["mail", "Mail the report", "report, alert"],
  ["docs", "Describe the set-up", "—"],
  ["example", "An example that runs", "docs"],
] as const;

const EPIC = `---
id: greenhouse
title: A greenhouse that looks after itself
status: ready
---
The plants live through a weekend without anybody there.

## Work Items
| # | ID | Title | Status | Worker | Review surface | Notes | Depends |
|---|----|-------|--------|--------|----------------|-------|---------|
${ITEMS.map(([id, title, depends], i) => `| ${i + 1} | ${id} | ${title} | ready | scripted | — | | ${depends} |`).join("\n")}

### alert
It must be heard before anything freezes.
`;

/** Judges without a model: everything passes that has something to review, but for the alert's first try. */
const ROLES = `import { existsSync, writeFileSync } from "node:fs";
let input = "";
for await (const chunk of process.stdin) input += chunk;
const brief = JSON.parse(/The brief, as JSON:\\n(.*)\\n/.exec(input)[1]);
const say = (answer) => console.log(JSON.stringify(answer));
const seen = new URL("./alert-failed", import.meta.url);
if (process.env.BANKSMAN_ROLE === "verifier") {
  if (brief.pr === "none") say({ verdict: "FAIL", reason: "there is nothing to review" });
  else if (brief.item === "alert" && !existsSync(seen)) {
    writeFileSync(seen, "");
    say({ verdict: "FAIL", reason: "the alert comes at 4 °C, not at 5" });
  } else say({ verdict: "PASS" });
} else if (brief.role === "react") {
  const parent = brief.context.split(":")[0];
  say({ action: "file_fix_task", parent, title: "Mend " + parent, body: "Find out why, and mend it: " + brief.context });
} else {
  const [first] = brief.candidates;
  say({ action: "dispatch", task_id: first.id, worker: first.worker || "scripted" });
}
`;
