import { writeFileSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "../../ports/command.ts";
import type { WorkOrder } from "./command-workers.ts";

const LONGEST_MS = 24 * 3_600_000;

/**
 * Runs one order as `by`, if nobody has taken it, and notes how it ended. A line `pr: <url>` is where its work is
 * reviewed.
 */
export async function runOrder(command: Command, folder: string, by: string): Promise<void> {
  const order = JSON.parse(await readFile(join(folder, "order.json"), "utf8")) as WorkOrder;
  try {
    writeFileSync(join(folder, "taken.json"), JSON.stringify({ by }), { flag: "wx" });
  } catch {
    return;
  }
  const log = join(folder, "log");
  const { code, stderr } = await command.run({
    argv: order.argv,
    cwd: order.cwd,
    env: order.env,
    timeoutMs: LONGEST_MS,
    input: order.task,
    log,
  });
  const said = await readFile(log, "utf8").catch(() => "");
  const pr = [...said.matchAll(/^pr: (\S{1,400})\s*$/gm)].at(-1)?.[1] ?? null;
  const exit = { code: code ?? 1, pr, why: code === null ? stderr.slice(-300) : undefined };
  await writeFile(join(folder, "exit.json.new"), JSON.stringify(exit));
  await rename(join(folder, "exit.json.new"), join(folder, "exit.json"));
}
