import { call } from "../broker/client.ts";
import { parseObject, textAt } from "../core/json-fields.ts";

const LONGEST = 4 * 1024 * 1024;
const PATIENCE_MS = 1_000;

/**
 * Called by an agent's CLI at each of its hooks, with what happened on standard input. Passes on what it is at, and says
 * nothing: a CLI must not wait for us, fail with us, or take our words for a decision.
 */
export async function hook(env: NodeJS.ProcessEnv, input: AsyncIterable<Buffer | string>): Promise<number> {
  const url = env.BANKSMAN_URL;
  const payload = parseObject(await read(input));
  if (!url || payload === null) return 0;
  const names = ["hook_event_name", "session_id", "notification_type"] as const;
  const body = Object.fromEntries(names.map((name) => [name, textAt(payload, name)]));
  await call({ url, token: null }, "POST", "/hook", body, PATIENCE_MS);
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
