import colors from "picocolors";
import type { Chapter } from "../stage.ts";

export const whatTheyDid: Chapter = {
  title: "What each of them did",
  async play(stage) {
    const { agents } = await stage.snapshot();
    for (const { id, branch, worktree } of agents) {
      const commit = (await stage.git("log", "-1", "--format=%h %s", branch ?? "")).trim();
      const files = (await stage.git("diff", "--stat", `main...${branch}`)).trim().split("\n").at(-1)?.trim();
      stage.say(`  ${id.padEnd(14)} ${commit}  (${files})  tests: ${await tests(worktree ?? "")}`);
    }
    stage.say(`  ${"main".padEnd(14)} untouched  tests: ${await tests(stage.root)}`);
    stage.say("");
    await stage.show("log");

    async function tests(cwd: string): Promise<string> {
      const reporter = ["--test", "--test-reporter=tap", "test/"];
      const out = await stage.program(process.execPath, reporter, cwd).catch((error: Error) => error.message);
      const count = (word: string) => new RegExp(`^# ${word} (\\d+)$`, "m").exec(out)?.[1] ?? "?";
      const text = `${count("pass")} pass, ${count("fail")} fail`;
      return count("fail") === "0" ? colors.green(text) : colors.red(text);
    }
  },
};
