import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";

/** What each folder may import, besides itself. `node` stands for node: modules. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  ports: ["core"],
  async: ["ports"],
  adapters: ["core", "ports", "async", "node"],
  engine: ["core", "ports", "async"],
  modes: ["core", "ports", "async", "engine"],
  broker: ["core", "ports", "async", "engine", "node"],
  config: ["core", "node"],
  specs: ["core", "ports"],
  dashboard: ["core"],
  mcp: ["core", "broker"],
  "scripted-agent": ["core", "cli", "node"],
  cli: [
    "core",
    "ports",
    "adapters",
    "engine",
    "modes",
    "broker",
    "config",
    "specs",
    "dashboard",
    "mcp",
    "scripted-agent",
    "node",
  ],
};

/**
 * Rooms inside of a folder, each with the rooms below it that it may import. Gates, landing, policy and pipeline stand
 * beside each other and never import one another: what they share is in record and messages.
 */
const RECORDING = ["text", "failure", "claims", "clis", "messages", "record"];
const ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  core: {
    text: [],
    failure: ["text"],
    claims: ["text"],
    clis: ["text"],
    screens: ["text"],
    specs: ["text", "failure"],
    messages: ["text", "claims"],
    record: ["text", "failure", "claims", "messages"],
    worktrees: ["text", "messages", "record"],
    agents: [...RECORDING, "screens", "worktrees"],
    conflicts: [...RECORDING, "agents"],
    session: [...RECORDING, "specs", "worktrees", "agents", "conflicts", "gates", "landing"],
    actions: ["text", "failure", "messages", "session"],
    learnings: ["text", "messages", "conflicts"],
    gates: RECORDING,
    landing: RECORDING,
    policy: RECORDING,
    pipeline: RECORDING,
    views: ["text", "failure", "messages", "agents", "conflicts", "session", "gates", "landing"],
    epic: ["text", "failure", "clis", "record", "views"],
  },
  engine: {
    journal: [],
    loop: ["journal"],
    messages: ["journal", "loop"],
    session: ["journal", "loop"],
    conflicts: ["journal", "loop"],
    worktrees: ["journal", "loop", "messages", "conflicts"],
    agents: ["journal", "loop", "messages", "session"],
    gates: ["journal", "loop", "messages", "agents"],
    landing: ["journal", "loop", "messages", "worktrees"],
    views: ["journal", "loop", "messages", "session", "conflicts", "worktrees", "agents", "gates", "landing"],
  },
};

/** The one room that makes adapters. */
const WIRING = "src/cli/wire/";

/** Libraries, each where it is used and nowhere else. The pure parsers core may use are added here when it does. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  core: ["unbash", "yaml", "get-east-asian-width"],
  adapters: ["libsql", "@agentclientprotocol/sdk", "@parcel/watcher"],
  broker: ["hono", "@hono/node-server"],
  config: ["zod/mini", "smol-toml", "@decimalturn/toml-patch"],
  dashboard: ["ink", "react", "react/jsx-runtime"],
  mcp: ["@modelcontextprotocol/server", "@modelcontextprotocol/server/stdio"],
  cli: ["commander", "@clack/prompts", "picocolors"],
};

/**
 * The files that open or list others themselves, and what. What lies in a repository or a worktree was put there by
 * somebody else, and is read by the one door, `adapters/system/inside.ts`, which everybody else has by the port Files.
 */
const READERS: Readonly<Record<string, string>> = {
  "src/adapters/system/inside.ts": "the door",
  "src/adapters/system/files.ts": "writes, copies and lists what is ours or the user's",
  "src/adapters/system/blank-tokens.ts": "logs, to blank tokens in them",
  "src/adapters/system/epic-files.ts": "writes epics; reads them by the door",
  "src/adapters/system/alone.ts": "a lock in our state folder",
  "src/adapters/system/holder.ts": "/proc",
  "src/adapters/git/read-small.ts": "git's own small files, and files that git has named",
  "src/adapters/git/small-file.ts": "git's own small files, which may be missing or something else",
  "src/adapters/sqlite/lock.ts": "names in our state folder, and in that of the last supervisor",
  "src/adapters/git/blocking.ts": "lists git's records; opens nothing",
  "src/adapters/git/admin.ts": "names in git's own folder",
  "src/adapters/git/held-commits.ts": "names in git's own folder",
  "src/adapters/git/keep-backup.ts": "objects and refs that we wrote, to have them on disk",
  "src/adapters/git/lay-files.ts": "new files of a backup; names in a worktree",
  "src/adapters/git/locks.ts": "/proc",
  "src/adapters/git/mend.ts": "names in git's own folder",
  "src/adapters/git/remove-worktree.ts": "names in a worktree",
  "src/adapters/git/repositories-inside.ts": "names in git's own folder",
  "src/adapters/git/scratch.ts": "our marks beside git's packs",
  "src/adapters/git/slots.ts": "our own checkouts for gates",
  "src/adapters/git/walk.ts": "names in a worktree",
  "src/adapters/git/worktree-state.ts": "names in a worktree",
  "src/adapters/git/move-target.ts": "git's own index, and its lock",
  "src/adapters/git/own-hooks.ts": "names in git's own folder",
  "src/adapters/git/copy-index.ts": "git's own index",
  "src/adapters/process/append-to.ts": "logs, to append to them",
  "src/adapters/process/command.ts": "a new file for what a command prints",
  "src/adapters/process/group.ts": "/proc",
  "src/adapters/tmux/bare-shell.ts": "/proc",
  "src/adapters/tmux/capture.ts": "what tmux wrote into a temporary folder of ours",
  "src/adapters/tmux/exchange-file.ts": "a temporary folder of ours",
  "src/adapters/watcher/parcel.ts": "names in a worktree",
  "src/adapters/sqlite/open.ts": "our state folder",
  "src/adapters/epic/command-workers.ts": "our state folder",
  "src/adapters/epic/run-order.ts": "our state folder",
  "src/adapters/epic/sent-once.ts": "our state folder",
  "src/cli/commands/clis.ts": "the user's own config",
  "src/cli/doctor/look.ts": "our state folder",
  "src/cli/epic/tick.ts": "an answer that a person names",
  "src/cli/setup/try-cli.ts": "a temporary folder of ours",
  "src/cli/supervisor/connect.ts": "our state folder",
  "src/cli/supervisor/own-token.ts": "/proc",
  "src/cli/supervisor/serve.ts": "our state folder",
  "src/cli/supervisor/stale-states.ts": "our state folder",
  "src/cli/supervisor/state-files.ts": "our state folder, /proc",
  "src/scripted-agent/memory.ts": "an agent's own files",
  "src/scripted-agent/play.ts": "an agent's own files",
  "src/scripted-agent/script.ts": "an agent's own files",
};

const sources = list("src").filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"));
const program = sources.filter((file) => !/\.test\.tsx?$/.test(file));

describe("every file imports only what its folder may", () => {
  it.each(program)("%s", (file) => {
    expect(importsOf(file).filter((specifier) => !allowed(file, specifier))).toEqual([]);
  });
});

describe("every room imports only rooms below it", () => {
  const rooms = program.filter((file) => (file.split("/")[1] ?? "") in ROOMS);
  it.each(rooms)("%s", (file) => {
    expect(importsOf(file).filter((specifier) => !isBelow(file, specifier))).toEqual([]);
  });

  it("and no room is below itself", () => {
    for (const [folder, table] of Object.entries(ROOMS))
      expect([folder, cycleIn(new Map(Object.entries(table)))]).toEqual([folder, null]);
  });

  it("and gates, landing, policy and pipeline stand beside each other", () => {
    const beside = ["gates", "landing", "policy", "pipeline"];
    for (const room of beside)
      expect([room, (ROOMS.core?.[room] ?? []).filter((each) => beside.includes(each))]).toEqual([room, []]);
  });
});

it("lets only the wiring import adapters", () => {
  const others = program.filter((file) => !file.startsWith("src/adapters/") && !file.startsWith(WIRING));
  const importers = others.filter((file) =>
    importsOf(file).some((each) => each.startsWith(".") && target(file, each).startsWith("src/adapters/")),
  );
  expect(importers).toEqual([]);
});

describe("core is pure and synchronous", () => {
  it.each(program.filter((file) => file.startsWith("src/core/")))("%s", (file) => {
    const code = withoutComments(readFileSync(file, "utf8"));
    expect(code).not.toMatch(
      /\bDate\b|Math\.random|\bprocess\.|\bawait\b|\basync\b|\bPromise\b|\bsetTimeout\b|\bglobalThis\b/,
    );
  });
});

it("reads what is a repository's by one door", () => {
  const opening =
    /\b(readFile|createReadStream|open|opendir|readdir|cp|copyFile|appendFile|createWriteStream)(Sync)?\b/;
  const opens = (file: string) => {
    const imports = [
      ...readFileSync(file, "utf8").matchAll(/import\s+(?:\{([^}]*)\}|([^"{]*?))\s+from\s+"node:fs(?:\/promises)?"/g),
    ];
    return imports.some(([, names, whole]) => opening.test(names ?? "") || whole !== undefined);
  };
  expect(program.filter(opens).filter((file) => !(file in READERS))).toEqual([]);
  expect(Object.keys(READERS).filter((file) => !program.includes(file) || !opens(file))).toEqual([]);
});

it("says of ports what they promise, and gives them nothing to do", () => {
  for (const file of program.filter((each) => each.startsWith("src/ports/"))) {
    const code = withoutComments(readFileSync(file, "utf8"));
    expect([file, /^export (const|function|class|let)/m.test(code)]).toEqual([file, false]);
  }
});

it("lets MCP have the broker's clients, and not the broker", () => {
  const imported = program
    .filter((file) => file.startsWith("src/mcp/"))
    .flatMap((file) => importsOf(file).map((each) => target(file, each)));
  const broker = imported.filter((each) => each.startsWith("src/broker/"));
  expect([...new Set(broker)].filter((each) => !/\/(agent-)?client\.ts$/.test(each))).toEqual([]);
});

it("keeps adapters apart", () => {
  for (const file of program.filter((each) => each.startsWith("src/adapters/"))) {
    const own = file.split("/")[2];
    const others = importsOf(file).filter(
      (specifier) => specifier.startsWith(".") && target(file, specifier).startsWith("src/adapters/"),
    );
    expect(others.filter((specifier) => target(file, specifier).split("/")[2] !== own)).toEqual([]);
  }
});

it("has no import cycle, not even of types", () => {
  const graph = new Map(
    program.map((file) => [
      file,
      importsOf(file)
        .filter((each) => each.startsWith("."))
        .map((each) => target(file, each)),
    ]),
  );
  expect(cycleIn(graph)).toBe(null);
});

it("names files and folders by what they do", () => {
  const vague = /(^|\/)(utils?|helpers?|common|shared|lib|types|misc|managers?|services?)(\.|\/|$)/;
  expect(sources.filter((file) => vague.test(file))).toEqual([]);
});

it("keeps files short enough to read in one go", () => {
  const lines = program
    .map((file) => [readFileSync(file, "utf8").split("\n").length, file] as const)
    .sort(([a], [b]) => a - b);
  expect(lines.filter(([count]) => count > 400)).toEqual([]);
  expect(lines[Math.floor(lines.length / 2)]?.[0]).toBeLessThanOrEqual(90);
});

it("uses no mocking library and throws no types away", () => {
  for (const file of [...sources, ...list("test").filter((each) => each.endsWith(".ts"))]) {
    const code = withoutComments(readFileSync(file, "utf8"));
    expect([file, /vi\.(mock|spyOn|fn)\(/.test(code)]).toEqual([file, false]);
    expect([
      file,
      /\bas any\b|: any\b|@ts-(ignore|expect-error)/.test(code) && !file.endsWith("architecture.test.ts"),
    ]).toEqual([file, false]);
  }
});

function allowed(file: string, specifier: string): boolean {
  const folder = file.split("/")[1] ?? "";
  if (specifier.startsWith("node:")) return (MAY_IMPORT[folder] ?? []).includes("node");
  if (!specifier.startsWith(".")) return (LIBRARIES[folder] ?? []).includes(specifier);
  const other = target(file, specifier).split("/")[1] ?? "";
  return other === folder || (MAY_IMPORT[folder] ?? []).includes(other);
}

/** Of files in rooms; what lies beside the rooms joins them, and may import all of them. */
function isBelow(file: string, specifier: string): boolean {
  if (!specifier.startsWith(".")) return true;
  const [, folder = "", room = ""] = file.split("/");
  const [, otherFolder, otherRoom = ""] = target(file, specifier).split("/");
  const rooms = ROOMS[folder] ?? {};
  if (otherFolder !== folder || room.endsWith(".ts") || room === otherRoom) return true;
  return (rooms[room] ?? []).includes(otherRoom);
}

const target = (file: string, specifier: string): string => posix.join(posix.dirname(file), specifier);

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(file, "utf8").matchAll(
      /^\s*(?:import|export)\b[^;]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)|^import "([^"]+)"/gm,
    ),
  ].map(([, a, b, c]) => a ?? b ?? c ?? "");

const withoutComments = (code: string): string =>
  code.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");

function list(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    join(folder, name).replaceAll("\\", "/"),
  );
}

/** A cycle as the list of its files, or null. */
function cycleIn(graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] | null => {
    if (path.includes(file)) return path.slice(path.indexOf(file));
    if (done.has(file)) return null;
    for (const next of graph.get(file) ?? []) {
      const found = visit(next, [...path, file]);
      if (found !== null) return found;
    }
    done.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const found = visit(file, []);
    if (found !== null) return found;
  }
  return null;
}
