import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "smol-toml";
import { afterEach, describe, expect, it } from "vitest";
import { importConfig } from "./import.ts";
import { jsonSchema } from "./json-schema.ts";
import { readConfigText } from "./read.ts";
import { SCHEMA } from "./schema.ts";
import { commentedConfig, setKeys } from "./write.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("the commented config", () => {
  it("says nothing until a # is taken away", () => {
    expect(parse(commentedConfig(new Map()))).toEqual({});
  });
  it("shows every key with its help", () => {
    const text = commentedConfig(new Map());
    for (const { key, help } of SCHEMA) {
      expect(text).toContain(` ${key.split(".").at(-1)} = `);
      expect(text.replaceAll("\n# ", " ")).toContain(help);
    }
  });
  it("is valid with every # taken away", () => {
    const all = commentedConfig(new Map())
      .split("\n")
      .map((line) => line.replace(/^# (?:e\.g\. )?(\[[\w.]+\]|\w+ = .*)$/, "$1").replace(/^# e\.g\. /, ""))
      .join("\n");
    const { problems, values } = readConfigText("c", all);
    expect(problems).toEqual([]);
    expect(values.size).toBe(SCHEMA.length);
  });
  it("sets what was imported", () => {
    expect(
      readConfigText("c", commentedConfig(new Map([["worktree.placement", "sibling"]]))).values.get(
        "worktree.placement",
      ),
    ).toBe("sibling");
  });
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
    return importConfig(root);
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
      /6 settings taken over[\s\S]*broker.port was left out[\s\S]*dashboard.show_message_log was left out[\s\S]*mystery.x has no counterpart/,
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
