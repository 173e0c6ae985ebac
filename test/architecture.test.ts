import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";

/** The table of design §5: what each folder may import, besides itself. `node` stands for node: modules. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  ports: ["core"],
  adapters: ["core", "ports", "node"],
  engine: ["core", "ports"],
  modes: ["core", "ports", "engine"],
  broker: ["core", "ports", "engine", "node"],
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

/** Libraries, each where it is used and nowhere else. The pure parsers core may use are added here when it does. */
const LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  core: [
    "yaml",
    "mdast-util-from-markdown",
    "mdast-util-gfm-task-list-item",
    "micromark-extension-gfm-task-list-item",
    "mdast",
  ],
  adapters: ["libsql", "@agentclientprotocol/sdk", "@parcel/watcher"],
  broker: ["hono", "@hono/node-server"],
  config: ["zod/mini", "smol-toml", "@decimalturn/toml-patch"],
  dashboard: ["ink", "react", "react/jsx-runtime"],
  mcp: ["@modelcontextprotocol/server", "@modelcontextprotocol/server/stdio"],
  cli: ["commander", "@clack/prompts", "picocolors"],
};

const sources = list("src").filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".d.ts"));
const program = sources.filter((file) => !/\.test\.tsx?$/.test(file));

describe("every file imports only what its folder may", () => {
  it.each(program)("%s", (file) => {
    expect(importsOf(file).filter((specifier) => !allowed(file, specifier))).toEqual([]);
  });
});

describe("core is pure and synchronous", () => {
  it.each(program.filter((file) => file.startsWith("src/core/")))("%s", (file) => {
    const code = withoutComments(readFileSync(file, "utf8"));
    expect(code).not.toMatch(
      /\bDate\b|Math\.random|\bprocess\.|\bawait\b|\basync\b|\bPromise\b|\bsetTimeout\b|\bglobalThis\b/,
    );
  });
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

it("has no import cycle", () => {
  const graph = new Map(
    program.map((file) => [
      file,
      valueImportsOf(file)
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

const target = (file: string, specifier: string): string => posix.join(posix.dirname(file), specifier);

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(file, "utf8").matchAll(
      /^\s*(?:import|export)\b[^;]*?from\s+"([^"]+)"|\bimport\("([^"]+)"\)|^import "([^"]+)"/gm,
    ),
  ].map(([, a, b, c]) => a ?? b ?? c ?? "");

/** Without `import type` and dynamic imports: what is really loaded together. */
const valueImportsOf = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/^(import|export)\s+(?!type\b)([^;]*?)from\s+"([^"]+)"/gm)]
    .filter(
      ([, , names = ""]) =>
        !/^\{[^}]*\}\s*$/.test(names) ||
        names
          .replaceAll(/[{}\s]/g, "")
          .split(",")
          .some((name) => name !== "" && !name.startsWith("type")),
    )
    .map(([, , , specifier = ""]) => specifier);

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
