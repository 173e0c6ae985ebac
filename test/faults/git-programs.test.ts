import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROGRAM_SETTINGS, rowOf } from "../../src/adapters/git/programs.ts";
import type { CommandOrder } from "../../src/ports/command.ts";
import { PlantedGround } from "../git-programs/ground.ts";
import { losesObjects, PLACES } from "../git-programs/planted.ts";

/** Wants a password for everything. */
const server = createServer((_, response) => {
  response.writeHead(401, { "www-authenticate": 'Basic realm="x"' }).end();
});
beforeAll(() => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done)));
afterAll(() => void server.close());
const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`;

/**
 * With GIT_TABLE=each, every setting by itself. Otherwise those that need a missing object by themselves, because calls
 * fail by them, and the others in groups: a third of the time.
 */
const TOGETHER = process.env.GIT_TABLE === "each" ? 1 : 12;
const keys = (unused: boolean) =>
  PROGRAM_SETTINGS.filter(({ off }) => (off.how === "unused") === unused).map(({ key }) => key);
const [alone, others] = [keys(false).filter(losesObjects), keys(false).filter((key) => !losesObjects(key))];
const chunks = Array.from({ length: Math.ceil(others.length / TOGETHER) }, (_, i) =>
  others.slice(i * TOGETHER, (i + 1) * TOGETHER),
);
const GROUPS = [...alone.map((key) => [key]), ...chunks, keys(true)].map((group) => ({
  name: group.length > TOGETHER ? "all that no command of ours reads" : group.join(", "),
  group,
}));

const made: CommandOrder[] = [];
const ran: string[] = [];

async function calling(group: readonly string[], loosen?: (order: CommandOrder) => CommandOrder) {
  const ground = new PlantedGround(group, url(), loosen);
  try {
    const failed = await ground.callAll();
    return { orders: ground.orders.filter(({ argv }) => argv[0] === "git"), ran: ground.ran(), failed };
  } finally {
    ground.dispose();
  }
}

describe.concurrent("no git call of ours runs what a repository names by", () => {
  it.each(GROUPS)("$name", async ({ group }) => {
    const called = await calling(group);
    made.push(...called.orders);
    ran.push(...called.ran);
    expect(called.ran).toEqual([]);
  });
});

/** What git does with these settings in the same calls without our precautions: the bait is real. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  "core.hooksPath": ["repository", "worktree"],
  "core.fsmonitor": ["nested", "repository", "submodule", "worktree"],
  "filter.*.clean": ["nested", "repository", "submodule", "worktree"],
  "merge.*.driver": ["repository", "worktree"],
  "gpg.program": ["repository", "worktree"],
  "log.showSignature": ["repository"],
  "diff.*.textconv": ["repository"],
  "submodule.*.update": ["repository"],
  "submodule.recurse": ["nested", "submodule"],
  "remote.*.uploadpack": ["nested", "repository"],
  "remote.*.vcs": ["nested", "repository"],
  "credential.*.helper": ["nested", "repository", "worktree"],
  "core.worktree": ["repository"],
};

function loose(order: CommandOrder): CommandOrder {
  const careful = ["--no-ext-diff", "--no-textconv", "--checkout", "--quiet"];
  const argv = order.argv
    .filter((arg) => !careful.includes(arg))
    .map((arg) => arg.replace("--ignore-submodules=dirty", "--ignore-submodules=none"));
  const ours = /^GIT_(CONFIG_(COUNT|KEY|VALUE)|ALLOW|NO_LAZY|ASKPASS|PROXY|PAGER|EDITOR|WORK_TREE)/;
  return { ...order, argv, env: Object.fromEntries(Object.entries(order.env).filter(([name]) => !ours.test(name))) };
}

describe.concurrent("without our precautions the same calls run what is named by", () => {
  it.each(Object.entries(RUNS))("%s", async (key, places) => {
    expect((await calling([key], loose)).ran).toEqual(expect.arrayContaining([...places]));
  });
});

it("knows every setting of git's documentation that names a program", () => {
  const documented = execFileSync("git", ["help", "--config"], { encoding: "utf8" })
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace("gpg.<format>", "gpg.x509")
        .replace(/<[^>]+>/g, "*"),
    )
    .filter((key) => /^[a-zA-Z0-9-]+\.\S+$/.test(key));
  expect(documented.length).toBeGreaterThan(500);
  const naming =
    /(command|cmd|program|helper|driver|editor|pager|textconv|askpass|gitproxy|hook|hookspath|clean|smudge|process|browser|viewer|external|fsmonitor|uploadpack|receivepack|vcs|templatedir|tunnel|httpd|insteadof|gpgsign|signature|signatures|include.*path|tool\.\*\.path)$/i;
  const unknown = documented.filter((key) => naming.test(key) && !HARMLESS.has(key) && rowOf(key) === null);
  expect(unknown).toEqual([]);
});

/** They only sound as if they named one. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...["advice.ignoredHook", "column.clean", "color.pager", "format.signature", "gitcvs.dbDriver", "notes.rewrite.*"],
  ...["completion.commands", "advice.waitingForEditor", "diff.*.cachetextconv"],
]);

const commandOf = ({ argv }: CommandOrder): string => argv.find((arg, i) => i > 0 && !arg.startsWith("-")) ?? "";

it("makes every kind of git call there is in the sources", async () => {
  const folder = "src/adapters/git";
  const commands = new Set(execFileSync("git", ["--list-cmds=main"], { encoding: "utf8" }).trim().split("\n"));
  const named = readdirSync(folder)
    .filter((name) => name !== "programs.ts")
    .flatMap((name) => [...readFileSync(join(folder, name), "utf8").matchAll(/(?:\[|literal\()\s*"([a-z][a-z-]+)"/g)])
    .map(([, word = ""]) => word)
    .filter((word) => commands.has(word));
  const { orders, failed } = await calling(["core.pager"]);
  const called = new Set(orders.map(commandOf));
  expect([...new Set(named)].filter((word) => !called.has(word))).toEqual([]);
  // But for three, they succeed: what is inside the worktree cannot be saved.
  expect(failed).toEqual(Array(3).fill(expect.stringContaining("has repositories inside with work of their own")));
});

it("has a table, and nothing of it has run", () => {
  const shapes = new Set(made.map(({ argv }) => argv.filter((arg) => /^-|^[a-z-]+$/.test(arg)).join(" ")));
  console.log(
    `git table: ${PROGRAM_SETTINGS.length} settings × ${PLACES.length} places × ${shapes.size} kinds of calls ` +
      `(${new Set(made.map(commandOf)).size} commands, ${made.length} calls made): ${ran.length} executions`,
  );
  expect(ran).toEqual([]);
});

it("gives no call the user's keys but one that reaches a remote", async () => {
  const { orders } = await calling(["core.pager"]);
  const withAgent = orders.filter(({ env }) => env.SSH_AUTH_SOCK !== undefined).map(({ argv }) => argv[1]);
  expect([...new Set(withAgent)].sort()).toEqual(["fetch", "push", "submodule"]);
});
