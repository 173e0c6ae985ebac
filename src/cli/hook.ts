import { call } from "../broker/client.ts";
import { hookEvent, hookReply } from "../core/clis/hook-word.ts";
import { parseObject, textAt } from "../core/text/json-fields.ts";

const LONGEST = 4 * 1024 * 1024;
const PATIENCE_MS = 1_000;

/**
 * Called by an agent's CLI at each of its hooks, with what happened on standard input. Passes on what it is at, and what
 * waits for it in return. It never decides for the CLI, and a CLI does not wait for us, or fail with us.
 */
export async function hook(
  env: NodeJS.ProcessEnv,
  input: AsyncIterable<Buffer | string>,
  print: (text: string) => void,
): Promise<number> {
  const url = env.BANKSMAN_URL;
  const payload = parseObject(await read(input));
  if (!url || payload === null) return 0;
  const names = ["hook_event_name", "session_id", "notification_type"] as const;
  const body = Object.fromEntries(names.map((name) => [name, textAt(payload, name)]));
  const answer = await call({ url, token: null }, "POST", "/hook", body, { ms: PATIENCE_MS });
  const told = typeof answer === "string" || answer.status !== 200 ? null : textAt(answer.body, "tell");
  const reply = told === null ? null : hookReply(hookEvent(payload), told);
  if (reply !== null) print(`${JSON.stringify(reply)}\n`);
  return 0;
}

async function read(input: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= LONGEST) chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}
