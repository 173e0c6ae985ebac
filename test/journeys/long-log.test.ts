import { afterEach, expect, it } from "vitest";
import { Stage } from "../stage.ts";

let stage: Stage;
afterEach(() => stage.dispose());

/** As the operator, a hundred at a time. */
async function fill(count: number): Promise<void> {
  const { supervisor } = await stage.status();
  const token = stage.operatorToken();
  for (let sent = 0; sent < count; sent += 100) {
    const body = Array.from({ length: 100 }, (_, i) => ({
      type: "agent.status",
      agent_id: "guest",
      payload: { status: "working", message: `step ${sent + i}` },
    }));
    const response = await fetch(`${supervisor?.url}/publish`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(202);
  }
}

it("prints the end of a long log, and all of it when asked to, without a supervisor as well", async () => {
  stage = new Stage();
  await stage.start("a");
  await stage.allIn("done");
  await fill(2_500);
  const look = async () => {
    const { out, err } = await stage.bm("log");
    const lines = out.trimEnd().split("\n");
    const all = (await stage.ok("log", "--since", "0")).trimEnd().split("\n");
    const list = await stage.json<{ seq: number }[]>("log");
    const rows = (await stage.ok("log", "--jsonl")).trimEnd().split("\n");
    expect([lines.length, lines.at(-1)]).toEqual([1_000, expect.stringMatching(/working: step 2499$/)]);
    expect(err).toMatch(/^The newest 1000 of \d+ messages; `banksman log --since 0` prints all of them\.\n$/);
    expect(list.map(({ seq }) => seq)).toEqual(Array.from({ length: list.length }, (_, i) => i + 1));
    expect([all.length, rows.length, list.length > 2_500]).toEqual([list.length, list.length, true]);
  };
  await look();
  await stage.ok("stop");
  await look();
});
