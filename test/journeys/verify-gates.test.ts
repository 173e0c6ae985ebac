import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { VerificationView } from "../../src/core/gates/view.ts";
import { type Files, LandingStage, namesOf, SUITE, unit } from "../landing/ground.ts";

/** What a branch does to its gate, by a file that is in its tree. The numbers are looked for among all processes. */
const GATE = `set -e
[ ! -e hang ] && [ -z "$HANG" ] || sleep 98761
[ ! -e daemon ] || { setsid sh -c 'sleep 98762; : ' >/dev/null 2>&1 & (sleep 98763 &) ; }
[ ! -e loud ] || yes "one of very many lines that a test suite can print" | head -c 200000000
[ ! -e tracked ] || echo changed >> README
node test/all.mjs
`;
const FILES: Files = { ...SUITE, README: "hi\n", "gate.sh": GATE };

const commandLines = (): string[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    });

const left = (seconds: number): number => commandLines().filter((line) => line.includes(`sleep\0${seconds}\0`)).length;

const gateOf = ({ gates }: VerificationView, name = "test") => gates.find((gate) => gate.name === name);

describe("a gate that", () => {
  let stage: LandingStage;
  beforeAll(async () => {
    stage = await LandingStage.make('[verify]\ntimeout_seconds = 8\nenv = ["HANG"]\n', FILES, "sh gate.sh");
    for (const how of ["hang", "daemon", "tracked"]) stage.branch(`does/${how}`, { [how]: "" });
  });
  afterAll(() => stage.dispose());

  it("hangs is ended, with all it started; whose fault it is, the base tells", async () => {
    const own = await stage.verify("does/hang");
    expect([own.verdict, own.findings.map(({ kind, message }) => [kind, message])]).toEqual([
      "fail",
      [["red", "test_command took longer than allowed"]],
    ]);
    expect(left(98_761)).toBe(0);
    const { env } = stage;
    stage.env = { ...env, HANG: "everywhere" };
    const both = await stage.verify("main");
    stage.env = env;
    expect([both.verdict, both.because, both.findings.map(({ kind }) => kind)]).toEqual([
      "waiting",
      "test_command took longer than allowed, on the base as well",
      ["environment"],
    ]);
    expect(left(98_761)).toBe(0);
  });

  it("leaves a daemon behind passes, and nothing of it is left", async () => {
    expect((await stage.verify("does/daemon")).verdict).toBe("pass");
    expect([left(98_762), left(98_763)]).toEqual([0, 0]);
  });

  it("changes tracked files fails: what it tested is not what would land", async () => {
    const { verdict, findings } = await stage.verify("does/tracked");
    expect([verdict, findings[0]?.message, findings[0]?.file]).toEqual([
      "fail",
      "test_command changes tracked files: what was tested is not what would land",
      "README",
    ]);
    const { bounced } = await stage.land("does/tracked");
    expect(namesOf(bounced)).toEqual(["does/tracked"]);
  });
});

/** The most memory that the supervisor has had so far; 0 where none runs. */
function peakMb(stage: LandingStage): number {
  try {
    const { pid } = JSON.parse(readFileSync(join(stage.folder, "run.json"), "utf8")) as { pid: number };
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

describe("with gates as they are configured", () => {
  let stage: LandingStage;
  afterEach(() => stage.dispose());

  it("a gate that prints 200 MB is read to its end, in bounded memory and with a bounded log", async () => {
    stage = await LandingStage.make("", FILES, "sh gate.sh");
    stage.branch("does/loud", { loud: "" });
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, peakMb(stage));
    }, 20);
    const view = await stage.verify("does/loud");
    clearInterval(watching);
    const gate = gateOf(view);
    expect([view.verdict, gate?.counts]).toEqual(["pass", { tests: 1, passed: 1, failed: 0, skipped: 0 }]);
    expect(statSync(gate?.log ?? "").size).toBeLessThan(17 * 1024 * 1024);
    expect(readFileSync(gate?.log ?? "", "utf8").slice(-400)).toMatch(/# pass 1|pass 1/);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(400);
  });

  it("a command that is not there makes it wait, and nobody is sent back", async () => {
    stage = await LandingStage.make('lint_command = "no-such-linter ."\n');
    stage.branch("feat/a", unit("a", "export const it = 1;\n", "its.it === 1"));
    const view = await stage.verify("feat/a");
    const because = "lint_command could not be run: a command was not found, on the base as well";
    expect([view.verdict, view.because, gateOf(view)?.verdict]).toEqual(["waiting", because, "pass"]);
    const before = stage.repo.git("rev-parse", "main");
    const { landed, bounced, waiting } = await stage.land("feat/a");
    expect([landed, bounced, namesOf(waiting), stage.repo.git("rev-parse", "main")]).toEqual([
      [],
      [],
      ["feat/a"],
      before,
    ]);
  });

  it("what `npm ci` leaves is used again until the lock file changes", async () => {
    const dependency = (version: string) => JSON.stringify({ name: "dep", version, type: "module", main: "dep.mjs" });
    const manifest = { name: "app", version: "1.0.0", type: "module", dependencies: { dep: "file:vendor/dep" } };
    const lock = (version: string) =>
      JSON.stringify({
        name: "app",
        version: "1.0.0",
        lockfileVersion: 3,
        requires: true,
        packages: {
          "": manifest,
          "node_modules/dep": { resolved: "vendor/dep", link: true },
          "vendor/dep": { version },
        },
      });
    const files = {
      ...SUITE,
      ".gitignore": "node_modules\n",
      "package.json": JSON.stringify(manifest),
      "package-lock.json": lock("1.0.0"),
      "vendor/dep/package.json": dependency("1.0.0"),
      "vendor/dep/dep.mjs": "export const dep = 1;\n",
      ...unit("uses", 'export { dep } from "dep";\n', "its.dep > 0"),
    };
    const setUp = `[worktree]\nsetup = "npm ci --offline --no-audit --no-fund --silent"\n`;
    stage = await LandingStage.make(setUp, files);
    stage.branch("feat/same", unit("a", "export const it = 1;\n", "its.it === 1"));
    stage.branch("feat/other", { "package-lock.json": lock("1.1.0"), "vendor/dep/package.json": dependency("1.1.0") });
    const counted = (view: VerificationView) => [view.verdict, gateOf(view)?.counts?.passed, view.setUp?.how];
    expect(counted(await stage.verify("main"))).toEqual(["pass", 2, "ran"]);
    expect(counted(await stage.verify("feat/same"))).toEqual(["pass", 3, "kept"]);
    expect(counted(await stage.verify("feat/other"))).toEqual(["pass", 2, "ran"]);
    expect(namesOf((await stage.land("feat/same", "feat/other")).landed)).toEqual(["feat/same", "feat/other"]);
  });
});
