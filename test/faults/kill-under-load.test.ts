import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Stage, untilGone } from "../stage.ts";

const KILLS = 24;
const WRITERS = 12;

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
});
afterEach(() => stage.dispose());

it(`keeps every acknowledged message through ${KILLS} kills under load, without a gap`, async () => {
  const acked = new Map<number, string>();
  let sent = 0;
  let refused = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, line } = await serve();
    const stop = { now: false };
    const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      while (!stop.now) {
        const text = `${kill}-${writer}-${++sent}`;
        const seq = await publish(line, agent, text);
        if (seq === null) refused++;
        else acked.set(seq, text);
      }
    });
    // At another point of its life each time, counted in what it has acknowledged: a slow machine has slow lives.
    const enough = acked.size + 11 + ((kill * 37) % 80);
    while (acked.size < enough) await sleep(1);
    child.kill("SIGKILL");
    await untilGone(child.pid ?? 0);
    stop.now = true;
    await Promise.all(writers);
    agent.destroy();
  }
  const { child } = await serve();
  const lines = (await stage.ok("log", "--jsonl"))
    .trim()
    .split("\n")
    .map((each) => JSON.parse(each) as { seq: number; message: { payload: { message: string } } });
  child.kill("SIGKILL");
  const stored = new Map(lines.map(({ seq, message }) => [seq, message.payload.message]));
  const lost = [...acked].filter(([seq, text]) => stored.get(seq) !== text);
  console.log(`acked ${acked.size}, stored ${stored.size}, unanswered ${refused}, lost ${lost.length}`);
  expect(acked.size).toBeGreaterThan(KILLS * 10);
  expect(lost).toEqual([]);
  expect(lines.map(({ seq }) => seq)).toEqual(Array.from({ length: lines.length }, (_, i) => i + 1));
});

interface Line {
  readonly port: number;
  readonly token: string;
}

async function serve(): Promise<{ child: ChildProcess; line: Line }> {
  const child = stage.spawn("serve");
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const { url } = JSON.parse(readFileSync(join(stage.folder, "run.json"), "utf8")) as { url: string };
  return {
    child,
    line: { port: Number(new URL(url).port), token: readFileSync(join(stage.folder, "operator.token"), "utf8").trim() },
  };
}

/** The seq it was acknowledged with, or null when no answer came. */
function publish({ port, token }: Line, agent: Agent, text: string): Promise<number | null> {
  const body = JSON.stringify({
    type: "agent.status",
    agent_id: "writer",
    payload: { status: "working", message: text },
  });
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    authorization: `Bearer ${token}`,
  };
  return new Promise((resolve) => {
    const sent = request({ host: "127.0.0.1", port, path: "/publish", method: "POST", agent, headers }, (response) => {
      let answer = "";
      response.on("data", (chunk: Buffer) => {
        answer += chunk.toString();
      });
      response.on("end", () =>
        resolve(response.statusCode === 202 ? (JSON.parse(answer) as { seq: number }).seq : null),
      );
      response.on("error", () => resolve(null));
    });
    sent.on("error", () => resolve(null));
    sent.end(body);
  });
}
