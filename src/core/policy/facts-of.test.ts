import { describe, expect, it } from "vitest";
import { factsOf } from "./facts-of.ts";
import { findStacks } from "./find-stacks.ts";
import { normalize } from "./paths/normalize.ts";

const manifest = (scripts: object): string => JSON.stringify({ scripts });

const facts = factsOf({
  worktree: "/w",
  committed: new Set(["a.ts", "package-lock.json"]),
  unchanged: new Set(["a.ts", "package-lock.json", "packages/pnpm/pnpm-lock.yaml"]),
  changed: ["b.ts"],
  manifests: new Map([
    ["", { now: manifest({ x: "1", y: "2", test: "t" }), base: manifest({ x: "1", y: "changed" }) }],
    ["packages/own", { now: manifest({ z: "1" }), base: "" }],
  ]),
  locks: new Map([
    [
      "",
      {
        name: "package-lock.json",
        text: '{"packages":{"node_modules/vitest": {},"node_modules/x/node_modules/jest": {}}}',
      },
    ],
    ["packages/pnpm", { name: "pnpm-lock.yaml", text: "packages:\n  /eslint@9.0.0:\n  '@biomejs/biome@2.0.0':\n" }],
    ["packages/changed", { name: "yarn.lock", text: "vitest@1:\n" }],
  ]),
  resolve: (path) => normalize(path.replace("/w/link", "/elsewhere"), "/"),
});

describe("facts of a worktree", () => {
  it("say which files are as they were, by where they really are", () => {
    expect([facts.isCommitted("/w/a.ts"), facts.isCommitted("/w/x/../a.ts"), facts.isCommitted("/w/b.ts")]).toEqual([
      true,
      true,
      false,
    ]);
    expect([facts.isUnchanged("/w/link/a.ts"), facts.isUnchanged("/a.ts"), facts.isUnchanged("/w")]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("say which scripts are as they were, by the nearest package.json", () => {
    const is = (folder: string, script: string) => facts.isScriptUnchanged(folder, script);
    expect([is("/w", "x"), is("/w/src/deep", "x"), is("/w", "y"), is("/w", "test"), is("/w", "toString")]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect([is("/w/packages/own", "z"), is("/elsewhere", "x")]).toEqual([false, false]);
  });

  it("say what the lock file names, where it is as it was", () => {
    const is = (folder: string, name: string) => facts.isLocked(folder, name);
    expect([is("/w", "vitest"), is("/w/src", "vitest"), is("/w", "jest"), is("/w", "vite")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect([
      is("/w/packages/pnpm", "eslint"),
      is("/w/packages/pnpm", "@biomejs/biome"),
      is("/w/packages/pnpm", "es"),
    ]).toEqual([true, true, false]);
    expect([is("/w/packages/changed", "vitest"), facts.hasLock("/w/packages/changed"), facts.hasLock("/w")]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it("finds languages by their manifests, at any depth", () => {
    expect(findStacks(["a/b/Cargo.toml", "package.json", "x/App.csproj"])).toEqual(["rust", "node", "dotnet"]);
    expect(findStacks(["Cargo.toml.md", "docs/package.jsonx"])).toEqual([]);
  });
});
