import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const SOAK = fileURLToPath(new URL("../../scripts/soak.mjs", import.meta.url));

it.skipIf(!existsSync("/proc/self/fdinfo"))("a supervisor does not grow over starts and stops", () => {
  const env = { ...process.env, CYCLES: process.env.CYCLES ?? "12", AGENTS: process.env.AGENTS ?? "5" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [SOAK], { env, encoding: "utf8" });
  expect([status, stdout], stderr).toEqual([0, expect.not.stringContaining("GROWN")]);
});
