import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Stage } from "../stage.ts";

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

function configure(text: string): void {
  const folder = join(stage.home, ".config/banksman");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.toml"), text);
}

const learnings = () => stage.repo.read(stage.root, ".banksman/learnings.md");
const bullets = () => (learnings() ?? "").split("\n").filter((line) => line.startsWith("- "));

/** Two agents plan the same file, hear of it; one is blocked for a moment, the other for good. */
function play(): void {
  stage.script("xx", [
    { do: "intent", why: "one", files: ["src/a.ts"] },
    { do: "wait" },
    { do: "blocked", needs: "`the token` <!-- 1 -->", from: "yy" },
    { do: "status", text: "going on" },
    { do: "stall" },
  ]);
  stage.script("yy", [
    { do: "intent", why: "two", files: ["src/"] },
    { do: "wait" },
    { do: "blocked", needs: "a decision", from: "xx" },
    { do: "stall" },
  ]);
}

const played = () =>
  stage.until(({ agents: [xx, yy] }) => xx?.evidence === "going on" && yy?.evidence.includes("a decision") === true);

it("writes what a session shows about itself, when it stops, and nothing twice", async () => {
  configure("[supervisor]\nenabled = true\n[supervisor.learnings]\nenabled = true\n");
  play();
  await stage.start("xx,yy");
  await played();
  await stage.ok("stop", "--force");
  const text = learnings() ?? "";
  expect(text).toMatch(
    /^## Session Learnings — \d{4}-\d\d-\d\dT[\d:.]+Z\n\n### Conflict events\n\n- \d{4}-.*Z — forward: /,
  );
  expect(bullets().map((line) => line.replace(/^- \S+ — (.*) <!-- \S+ -->$/, "$1"))).toEqual([
    "forward: `xx` and `yy`: `src/a.ts`",
    expect.stringMatching(/^`xx` was blocked for \d+ s: it needed `` `the token` <!-- 1 --> `` from `yy`$/),
    "`yy` was blocked and still is: it needs `a decision` from `xx`",
  ]);
  expect(stage.repo.git("status", "--porcelain")).toBe("");

  await stage.start("");
  await stage.ok("stop", "--force");
  expect(learnings()).toBe(text);
});

it("does so after a kill, too: the journal has it all", async () => {
  configure("[supervisor]\nenabled = true\n[supervisor.learnings]\nenabled = true\n");
  play();
  await stage.start("xx,yy");
  await played();
  await stage.killSupervisor();
  expect(learnings()).toBe(null);
  await stage.ok("stop", "--force");
  expect(bullets().length).toBe(3);
});

it("writes nothing unless asked to, and nowhere else", async () => {
  configure("[supervisor]\nenabled = true\n");
  play();
  await stage.start("xx,yy");
  await played();
  await stage.ok("stop", "--force");
  expect(learnings()).toBe(null);

  configure("[supervisor]\nenabled = true\n[supervisor.learnings]\nenabled = true\n");
  const elsewhere = join(stage.repo.folder, "elsewhere.md");
  symlinkSync(elsewhere, join(stage.root, ".banksman/learnings.md"));
  await stage.start("");
  await stage.ok("stop", "--force");
  expect([existsSync(elsewhere), bullets().length]).toEqual([false, 3]);
});
