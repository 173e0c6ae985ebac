import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BIN, Stage, untilGone } from "../stage.ts";

/**
 * The kernel says no: strace makes system calls on the journal fail, as a dying or full disk would. Needs strace and
 * the right to trace; where that is missing the cases are skipped visibly.
 */
const canTrace = spawnSync("strace", ["-qq", "-e", "trace=none", "true"]).status === 0;

let stage: Stage;
let child: ChildProcess | null = null;
beforeEach(() => {
  stage = new Stage();
});
afterEach(async () => {
  child?.kill("SIGKILL");
  await stage.dispose();
});

/** A supervisor whose `calls` on the journal's log fail as told. The folder is made before, so that strace knows the file. */
async function serveWith(calls: string, error: string, when: string): Promise<void> {
  const first = stage.spawn("serve");
  await new Promise((resolve) => first.stdout.once("data", resolve));
  await publish("before");
  first.kill("SIGTERM");
  await untilGone(first.pid ?? 0);
  const log = join(stage.folder, "journal.db-wal");
  const args = [
    "-f",
    "-qq",
    "-o",
    "/dev/null",
    "-P",
    log,
    "-e",
    `trace=${calls}`,
    "-e",
    `inject=${calls}:error=${error}:when=${when}`,
    process.execPath,
    BIN,
    "serve",
  ];
  child = spawn("strace", args, { cwd: stage.root, env: stage.env, stdio: ["ignore", "pipe", "ignore"] });
  await new Promise((resolve) => child?.stdout?.once("data", resolve));
}

async function publish(text: string): Promise<{ status: number; seq?: number; error?: string }> {
  const { url } = JSON.parse(readFileSync(join(stage.folder, "run.json"), "utf8")) as { url: string };
  const token = readFileSync(join(stage.folder, "operator.token"), "utf8").trim();
  const body = JSON.stringify({
    type: "agent.status",
    agent_id: "writer",
    payload: { status: "working", message: text },
  });
  const response = await fetch(`${url}/publish`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body,
  });
  return { status: response.status, ...((await response.json()) as object) };
}

describe.skipIf(!canTrace)("a disk that fails", () => {
  it.each([
    ["fsync,fdatasync", "EIO", "6"],
    ["fsync,fdatasync", "EIO", "4..9"],
    ["fsync,fdatasync", "EIO", "5+7"],
    ["fsync,fdatasync", "ENOSPC", "6..12"],
    ["pwrite64,write", "EIO", "9"],
    ["pwrite64,write", "EIO", "9..30"],
    ["pwrite64,write", "ENOSPC", "9..40"],
    ["pwrite64,write", "ENOSPC", "12+9"],
  ])("%s → %s (%s): refuses, says so, goes on, and has stored all it acknowledged", async (calls, error, when) => {
    await serveWith(calls, error, when);
    const acked = new Map<number, string>([[1, "before"]]);
    const refused: number[] = [];
    let inARow = 0;
    for (let round = 0; round < 12 || (inARow < 20 && !when.includes("+")); round++) {
      const texts = Array.from({ length: round % 3 === 0 ? 1 : 6 }, (_, i) => `${round}-${i}`);
      for (const [i, { status, seq, error: sentence }] of (await Promise.all(texts.map(publish))).entries()) {
        if (status === 202 && seq !== undefined) acked.set(seq, texts[i] ?? "");
        else {
          refused.push(status);
          expect([[503, 507].includes(status), (sentence ?? "").length > 10]).toEqual([true, true]);
        }
        inARow = status === 202 ? inARow + 1 : 0;
      }
    }
    // A failure that comes once, into a batch, is survived by trying each publish alone: nobody need be refused then.
    if (when.includes("..")) expect(refused.length).toBeGreaterThan(0);
    console.log(
      `${calls} ${error} ${when}: acked ${acked.size}, refused ${refused.length} (${[...new Set(refused)].join(", ")})`,
    );
    child?.kill("SIGKILL");
    const { pid } = JSON.parse(readFileSync(join(stage.folder, "run.json"), "utf8")) as { pid: number };
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It went with its tracer.
    }
    await untilGone(pid);
    const lines = (await stage.ok("log", "--jsonl"))
      .trim()
      .split("\n")
      .map((each) => JSON.parse(each) as { seq: number; message: { payload: { message: string } } });
    const stored = new Map(lines.map((line) => [line.seq, line.message.payload.message]));
    expect([...acked].filter(([seq, text]) => stored.get(seq) !== text)).toEqual([]);
    expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: lines.length }, (_, i) => i + 1));
  });
});
