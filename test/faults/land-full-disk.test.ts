import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TempRepository } from "../git-repository.ts";
import { LandingStage, namesOf, SUITE, unit } from "../landing/ground.ts";

const mounted: string[] = [];

/** A small disk of its own at this folder; false where mounting is not allowed. */
function mount(folder: string, size: string): boolean {
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder]);
  if (status === 0) mounted.push(folder);
  return status === 0;
}

const unmount = () => {
  for (const folder of mounted.splice(0)) spawnSync("umount", ["--lazy", folder]);
};

const mayMount = (() => {
  const probe = new TempRepository();
  const may = mount(join(probe.folder, "probe"), "64k");
  unmount();
  probe.dispose();
  return may;
})();

let stage: LandingStage;
beforeEach(async () => {
  // The gate needs some space of its own, and says what everybody says who does not get it.
  const gate = `head -c \${NEEDED:-1000} /dev/zero > "$TMPDIR/big" && node test/all.mjs`;
  stage = await LandingStage.make('[verify]\nenv = ["NEEDED"]\n', SUITE, gate);
});
afterEach(async () => {
  await stage.dispose().catch(() => undefined);
  unmount();
  rmSync(stage.repo.folder, { recursive: true, force: true });
});

it.skipIf(!mayMount)(
  "a full disk is nobody's fault: work waits, nothing is half landed, and with space it lands",
  async () => {
    const scratch = join(stage.folder, "scratch");
    mount(scratch, "2m");
    stage.branch("feat/a", unit("a", "export const it = 1;\n", "its.it === 1"));
    const before = stage.repo.git("rev-parse", "main");
    const fill = join(scratch, "fill");
    spawnSync("dd", ["if=/dev/zero", `of=${fill}`, "bs=1k"]);
    const full = await stage.verify("feat/a");
    expect([full.verdict, JSON.stringify(full.failure)]).toEqual(["waiting", expect.stringMatching(/is full/)]);
    const { landed, bounced, waiting } = await stage.land("feat/a");
    expect([landed, bounced, waiting.map(({ because }) => because)]).toEqual([
      [],
      [],
      [expect.stringMatching(/is full/)],
    ]);
    rmSync(fill);
    // The checkout finds room now, and the gate does not: on the base neither.
    const { env } = stage;
    stage.env = { ...env, NEEDED: "4000000" };
    const gate = await stage.verify("feat/a");
    expect([gate.verdict, gate.because]).toEqual(["waiting", "test_command found the disk full, on the base as well"]);
    expect((await stage.land("feat/a")).landed).toEqual([]);
    expect([stage.repo.git("rev-parse", "main"), stage.repo.git("status", "--short")]).toEqual([before, ""]);
    stage.env = env;
    expect(namesOf((await stage.land("feat/a")).landed)).toEqual(["feat/a"]);
    expect(stage.broken(stage.tips(["feat/a"]))).toEqual([]);
  },
);
