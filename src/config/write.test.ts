import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { commentedConfig } from "./commented.ts";
import { importConfig } from "./import.ts";
import { jsonSchema } from "./json-schema.ts";
import { readConfigText } from "./read.ts";
import { SCHEMA } from "./schema.ts";
import { setKeys } from "./write.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("the commented config", () => {
  const KEY = /^# (\w+ = .*)$/;
  it("sets nothing until a # is taken away", () => {
    const { values, problems } = readConfigText("c", commentedConfig(new Map()));
    expect([values.size, problems]).toEqual([0, []]);
  });
  it("shows every key with its help", () => {
    const text = commentedConfig(new Map());
    for (const { key, help } of SCHEMA.filter(({ guarded }) => guarded !== "users")) {
      expect(text).toContain(`# ${key.split(".").at(-1)} = `);
      expect(text.replaceAll("\n# ", " ")).toContain(help);
    }
  });
  it.each([
    ["new", new Map<string, unknown>()],
    [
      "with settings that were found",
      new Map<string, unknown>([
        ["default_spec_cli", "codex"],
        ["specs.type", "speckit"],
        ["supervisor.test_command", "npm test"],
        ["supervisor.conflict.window_seconds", 60],
        ["clis.mine.command", "my --x"],
        ["pipeline.status_mapping", { "In Progress": "developer" }],
      ]),
    ],
  ])("lets each key be uncommented by itself, in a file that is %s", (_, set) => {
    const lines = commentedConfig(set).split("\n");
    const before = readConfigText("c", lines.join("\n"));
    expect([before.problems, before.values.size + before.later.size]).toEqual([[], set.size]);
    const commented = lines.flatMap((line, i) => (KEY.test(line) ? [i] : []));
    expect(commented.length).toBe(SCHEMA.filter(({ key, guarded }) => guarded !== "users" && !set.has(key)).length);
    const found = new Set<string>();
    for (const at of commented) {
      const text = lines.map((line, i) => (i === at ? line.replace(KEY, "$1") : line)).join("\n");
      const { values, problems } = readConfigText("c", text);
      const more = [...values.keys()].filter((key) => !before.values.has(key));
      expect([problems, more.length], lines[at]).toEqual([[], 1]);
      found.add(more[0] ?? "");
    }
    expect(found.size).toBe(commented.length);
  });
  it("is valid with every # taken away", () => {
    const all = commentedConfig(new Map())
      .split("\n")
      .map((line) => line.replace(KEY, "$1"))
      .join("\n");
    const { problems, values } = readConfigText("c", all);
    expect(problems).toEqual([]);
    expect(values.size).toBe(SCHEMA.filter(({ guarded }) => guarded !== "users").length);
  });
  it("sets what was imported where its comment would be", () => {
    const text = commentedConfig(new Map([["worktree.placement", "sibling"]]));
    expect(text).toMatch(/^\[worktree\]\n(# .*\n)+placement = "sibling"$/m);
    expect(text).not.toContain("# placement");
  });
});

describe("a key that is set later", () => {
  it.each([
    ["a name beside the example", "clis.mine.command", "my --x"],
    ["a section of its own", "supervisor.tell.mode", "feedback"],
    ["the top", "default_cli", "codex"],
    ["a section that is there", "worktree.copy", [".env"]],
  ])("gets to %s", (_, key, value) => {
    const text = setKeys(commentedConfig(new Map()), new Map([[key, value]]));
    const { values, later, problems } = readConfigText("c", text);
    expect([problems, [...values.keys(), ...later.keys()]]).toEqual([[], [key]]);
  });
  it.each(['clis.a.command = "x"\n', 'clis = { a = { command = "x" } }\n', '[clis]\na = { command = "x" }\n', ""])(
    "leaves %j valid",
    (before) => {
      const { values, problems } = readConfigText("c", setKeys(before, new Map([["clis.b.command", "y"]])));
      expect([problems, values.get("clis.b.command")]).toEqual([[], "y"]);
    },
  );
});

it("edits keep comments, spacing and order", () => {
  const before = '# mine\ndefault_cli = "a"   # why\n\n[worktree]\n# placed\nplacement = "child"\n';
  const after = setKeys(
    before,
    new Map<string, unknown>([
      ["default_cli", "b"],
      ["worktree.port_base", 4000],
    ]),
  );
  expect(after).toBe(
    '# mine\ndefault_cli = "b"   # why\n\n[worktree]\n# placed\nplacement = "child"\nport_base = 4000\n',
  );
});

it("has a JSON Schema for editors, closed to unknown keys", () => {
  const schema = jsonSchema() as {
    properties: Record<string, { properties?: Record<string, unknown>; additionalProperties?: unknown }>;
    additionalProperties: boolean;
  };
  expect(schema.additionalProperties).toBe(false);
  expect(schema.properties.worktree?.properties?.placement).toMatchObject({
    enum: ["child", "sibling"],
    default: "child",
  });
  expect(schema.properties.clis?.additionalProperties).toMatchObject({ properties: { command: {} } });
});

describe("import", () => {
  const repository = (files: Record<string, string>) => {
    const root = mkdtempSync(join(tmpdir(), "bm-import-"));
    folders.push(root);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(root, name, ".."), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return importConfig(root, (at, name) => (existsSync(join(at, name)) ? readFileSync(join(at, name), "utf8") : null));
  };

  it("takes over git-paw's settings under our names, and says what it leaves", () => {
    const { values, notes } = repository({
      ".git-paw/config.toml":
        'default_cli = "claude"\nworktree_placement = "child"\n[clis.mine]\ncommand = "my --x"\n[broker]\nenabled = true\nport = 9119\n[dashboard]\nshow_message_log = true\n[supervisor]\ntest_command = "npm test"\n[supervisor.conflict]\nwindow_seconds = 60\n[mystery]\nx = 1\n',
    });
    expect(Object.fromEntries(values)).toEqual({
      default_cli: "claude",
      "worktree.placement": "child",
      "clis.mine.command": "my --x",
      "broker.enabled": true,
      "supervisor.test_command": "npm test",
      "supervisor.conflict.window_seconds": 60,
    });
    expect(notes.join("\n")).toMatch(
      /6 settings imported[\s\S]*broker.port was left out[\s\S]*dashboard.show_message_log was left out[\s\S]*mystery.x has no counterpart/,
    );
  });
  it("takes pi's supervisor block for the pipeline", () => {
    const { values } = repository({
      ".pi/settings.json": JSON.stringify({
        theme: "x",
        supervisor: { repo: "o/r", maxRejections: 3, agentTimeoutsMin: {} },
      }),
    });
    expect(Object.fromEntries(values)).toEqual({
      "pipeline.repo": "o/r",
      "pipeline.max_rejections": 3,
      "pipeline.agent_timeouts_min": {},
    });
  });
  it("writes a file that can be read back", () => {
    const { values } = repository({
      ".git-paw/config.toml":
        '[presets.p]\nbranches = ["a", "b"]\ncli = "x"\n[clis.m]\ncommand = "y"\n[clis.m.approval_args]\nauto = "-x"\n',
      ".pi/settings.json": '{"supervisor":{"statusMapping":{"Research":"researcher"}}}',
    });
    expect(readConfigText("c", commentedConfig(values)).problems).toEqual([]);
  });
  it("leaves out what it cannot read, and says so", () => {
    const { values, notes } = repository({ ".git-paw/config.toml": "= broken", ".pi/settings.json": "{" });
    expect([values.size, notes.length]).toEqual([0, 2]);
  });
  it("finds nothing where there is nothing", () => expect(repository({})).toEqual({ values: new Map(), notes: [] }));
});
