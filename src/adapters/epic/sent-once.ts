import { randomBytes } from "node:crypto";
import { link, mkdir, readdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rowsIn, type Sent, whyBehind } from "../../core/epic/decide/behind.ts";
import type { Epic } from "../../core/epic/file/epic.ts";
import { sentAt } from "../../core/epic/file/memory.ts";
import type { Instant } from "../../core/text/ids.ts";
import { parseObject, textAt } from "../../core/text/json-fields.ts";
import type { Dispatcher } from "../../ports/epic.ts";

/**
 * Notes each dispatch before it is made, as `<folder>/<epic>/sent/<epoch>.<seq>`, and refuses one from a file that is behind
 * what was sent from here. Whoever works: keys are an epic's, not a worker's.
 */
export const createSentOnce = (folder: string, inner: Dispatcher): Dispatcher => ({
  async dispatch(effect, epic, place) {
    const home = join(folder, epic.id, "sent");
    const why = whyBehind(epic, effect, await knownOf(home, effect.key));
    if (why !== null) return why;
    await note(home, effect.key, { item: effect.item, at: sentAt(epic, effect.item) });
    // Of two at once, one has noted it: the other sees whose it is.
    const now = await knownOf(home, effect.key);
    return whyBehind(epic, effect, { ...now, last: now.same }) ?? inner.dispatch(effect, epic, place);
  },
  observe: (epic: Epic) => inner.observe(epic),
  unable: (workers) => inner.unable(workers),
});

async function knownOf(home: string, key: string): Promise<{ same: Sent | null; last: Sent | null }> {
  const [epic = ""] = key.split("/");
  const keys = (await readdir(home).catch(() => []))
    .filter((name) => /^\d+\.\d+$/.test(name))
    .map((name) => `${epic}/${name.replace(".", "/")}`);
  const last = keys.reduce<string | null>(
    (most, each) => (most === null || rowsIn(each) > rowsIn(most) ? each : most),
    null,
  );
  return {
    same: keys.includes(key) ? await read(home, key) : null,
    last: last === null ? null : await read(home, last),
  };
}

const nameOf = (key: string): string => key.split("/").slice(-2).join(".");

async function read(home: string, key: string): Promise<Sent | null> {
  const fields = parseObject(await readFile(join(home, nameOf(key)), "utf8").catch(() => ""));
  const item = textAt(fields, "item");
  if (fields === null || item === null) return null;
  return { key, item, at: typeof fields.at === "number" ? (fields.at as Instant) : null };
}

/** Whole or not at all, and never over one that is there. */
async function note(home: string, key: string, sent: Omit<Sent, "key">): Promise<void> {
  await mkdir(home, { recursive: true, mode: 0o700 });
  const beside = join(home, `${randomBytes(6).toString("hex")}.new`);
  await writeFile(beside, JSON.stringify(sent), { mode: 0o600 });
  try {
    await link(beside, join(home, nameOf(key)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await unlink(beside);
  }
}
