import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { agentEnvironment, type Environment } from "../../core/clis/environment.ts";
import type { EpicEffect } from "../../core/epic/decide/decided.ts";
import { isOut } from "../../core/epic/decide/item-state.ts";
import type { Signal } from "../../core/epic/decide/signals.ts";
import { branchOf, writeTask } from "../../core/epic/decide/task.ts";
import type { Registry } from "../../core/epic/decide/workers.ts";
import type { Epic } from "../../core/epic/file/epic.ts";
import { sentAt } from "../../core/epic/file/memory.ts";
import type { Instant } from "../../core/text/ids.ts";
import { parseObject, textAt } from "../../core/text/json-fields.ts";
import type { Dispatcher } from "../../ports/epic.ts";

interface Places {
  /** Where we note who was sent: `<epic>/<item>@<epoch>.<seq>/`. */
  readonly folder: string;
  readonly root: string;
  readonly env: Environment;
  readonly workers: Registry;
  /** Runs an order in the background: `argv <folder of the order>`. */
  readonly runner: readonly string[];
  /** Whether whoever took an order is known to be gone. */
  isGone(by: string): boolean;
  /** Whether a branch has commits of its own. */
  isAhead(branch: string): Promise<boolean>;
  /** The program's full path, or null. */
  find(program: string): Promise<string | null>;
}

/** What is to be run, as it stands in `order.json`. */
export interface WorkOrder {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Environment;
  readonly task: string;
  /** When the epic says that it was sent: tells it from one of the same key in an epic that had this name before. */
  readonly at: number | null;
}

/** Until a runner has taken its order it may still be starting. */
const STARTING_MS = 60_000;

/**
 * Workers that are commands. Any number of runners may be started for one order: the first to mark it as taken runs it,
 * the others leave. So asking again after a crash sends nobody twice, and never nobody.
 */
export const createCommandWorkers = (places: Places): Dispatcher => ({
  async dispatch(effect, epic) {
    const worker = places.workers.get(effect.worker);
    if (worker === undefined || worker.command.length === 0) return `${effect.worker} has no command`;
    const folder = join(places.folder, epic.id, nameOf(effect));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const order = toOrder(effect, epic, worker.command, places);
    await layOrder(folder, order);
    if ((await timeOf(folder)) !== order.at)
      return `${effect.key} was sent before, by an epic that is called ${epic.id} as well or was: this one needs another id`;
    return startRunner(places, folder);
  },
  async unable(names) {
    const found = await Promise.all(
      names.map(async (name) => {
        const [program] = places.workers.get(name)?.command ?? [];
        if (program === undefined) return [name, "has no command"] as const;
        return (await places.find(program)) === null ? ([name, `runs ${program}, which was not found`] as const) : null;
      }),
    );
    return new Map(found.filter((each) => each !== null));
  },
  async observe(epic) {
    const names = await readdir(join(places.folder, epic.id)).catch(() => []);
    const seen = epic.items.filter(isOut).map(async ({ id }) => {
      const name = await currentOf(join(places.folder, epic.id), namesOf(names, id), sentAt(epic, id));
      return name === null ? null : observeItem(places, epic, name);
    });
    return (await Promise.all(seen)).filter((signal) => signal !== null);
  },
});

/** Null where the order says none, undefined where there is no order that can be read. */
async function timeOf(folder: string): Promise<unknown> {
  const order = parseObject(await readFile(join(folder, "order.json"), "utf8").catch(() => ""));
  return order === null ? undefined : (order.at ?? null);
}

/** The dispatch that the epic speaks of; the latest one where it has forgotten when that was. */
async function currentOf(folder: string, names: readonly string[], sent: Instant | null): Promise<string | null> {
  if (sent === null) return names[0] ?? null;
  for (const name of names) if ((await timeOf(join(folder, name))) === sent) return name;
  return null;
}

const nameOf = ({ item, key }: { item: string; key: string }): string =>
  `${item}@${key.split("/").slice(-2).join(".")}`;

/** Whole or not at all: whoever is killed over it leaves nothing that a runner could not read. */
async function layOrder(folder: string, order: WorkOrder): Promise<void> {
  const path = join(folder, "order.json");
  if ((await stat(path).catch(() => null)) !== null) return;
  const beside = join(folder, `order.${randomBytes(4).toString("hex")}.new`);
  await writeFile(beside, JSON.stringify(order), { mode: 0o600 });
  await rename(beside, path);
}

/** Null, or why it could not be. */
function startRunner({ runner, root }: Places, folder: string): Promise<string | null> {
  const [program = "", ...args] = runner;
  return new Promise((resolve) => {
    const child = spawn(program, [...args, folder], {
      cwd: root,
      detached: true,
      stdio: "ignore",
      env: { ...process.env },
    });
    child.once("error", (error) => resolve(error.message));
    child.once("spawn", () => resolve(null));
    child.unref();
  });
}

function toOrder(
  effect: EpicEffect & { type: "dispatch" },
  epic: Epic,
  argv: readonly string[],
  { root, env }: Places,
): WorkOrder {
  const item = epic.items.find(({ id }) => id === effect.item);
  const branch = branchOf(epic.id, effect.item, effect.key);
  const values: Readonly<Record<string, string>> = {
    epic: epic.id,
    item: effect.item,
    title: effect.title,
    key: effect.key,
    branch,
  };
  const given = {
    BANKSMAN_EPIC: epic.id,
    BANKSMAN_ITEM: effect.item,
    BANKSMAN_KEY: effect.key,
    BANKSMAN_BRANCH: branch,
  };
  return {
    argv: argv.map((word) =>
      word.replaceAll(/\{(epic|item|title|key|branch)\}/g, (_, name: string) => values[name] ?? ""),
    ),
    cwd: root,
    env: agentEnvironment(env, ["BANKSMAN_SCRIPTS"], given),
    task: item === undefined ? "" : writeTask(epic, item),
    at: sentAt(epic, effect.item),
  };
}

/** The dispatches of an item, the latest first. */
function namesOf(names: readonly string[], item: string): string[] {
  const own = names.flatMap((name) => {
    const [, epoch, seq] = name.startsWith(`${item}@`) ? (/@(\d+)\.(\d+)$/.exec(name) ?? []) : [];
    return epoch === undefined ? [] : [{ name, at: [Number(epoch), Number(seq)] as const }];
  });
  return own.sort((a, b) => b.at[0] - a.at[0] || b.at[1] - a.at[1]).map(({ name }) => name);
}

async function observeItem(places: Places, epic: Epic, name: string): Promise<Signal | null> {
  const folder = join(places.folder, epic.id, name);
  const item = name.slice(0, name.lastIndexOf("@"));
  const branch = branchOf(epic.id, item, name.slice(name.lastIndexOf("@") + 1).replace(".", "/"));
  const read = (file: string) => readFile(join(folder, file), "utf8").catch(() => null);
  const hasLain = async (file: string) => {
    const info = await stat(join(folder, file)).catch(() => null);
    return info !== null && Date.now() - info.mtimeMs > STARTING_MS;
  };
  const taken = await read("taken.json");
  if (taken === null) return (await hasLain("order.json")) ? { item, kind: "exit", code: 127, pr: null } : null;
  const by = textAt(parseObject(taken), "by");
  const gone = by === null ? await hasLain("taken.json") : places.isGone(by);
  // Read after that: one that ended between two looks has noted how.
  const exit = parseObject((await read("exit.json")) ?? "");
  if (exit === null && !gone) {
    const log = await stat(join(folder, "log")).catch(() => null);
    return log === null ? null : { item, kind: "activity", at: Math.floor(log.mtimeMs) as Instant };
  }
  const code = exit === null ? 137 : typeof exit.code === "number" ? exit.code : 1;
  return { item, kind: "exit", code, pr: textAt(exit, "pr") ?? (await surfaceOf(places, branch)) };
}

/** Without a forge, a branch with commits of its own is what there is to review. */
export const surfaceOf = async ({ isAhead }: Pick<Places, "isAhead">, branch: string): Promise<string | null> =>
  (await isAhead(branch)) ? `branch ${branch}` : null;
