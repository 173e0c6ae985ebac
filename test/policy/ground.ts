import type { Facts, PolicyContext } from "../../src/core/policy/context.ts";
import { normalize } from "../../src/core/policy/paths/normalize.ts";

const WORKTREE = "/home/dev/app/.banksman/worktrees/feat-a";
const below = (name: string): string => `${WORKTREE}/${name}`;

/** As the project has them, and committed. */
const PROJECTS = [
  "Makefile",
  "justfile",
  "gradlew",
  "mvnw",
  "scripts/check.sh",
  "tools/gen.py",
  "f.js",
  "old.ts",
  "README.md",
];
/** Committed by the agent. */
const COMMITTED = ["mine.js", "mine.sh"];
const LOCKED = ["vitest", "typescript", "eslint", "prettier", "@biomejs/biome", "jest", "vite", "knip"];
const LINKS: Readonly<Record<string, string>> = {
  [below("link-out")]: "/etc",
  [below("link-home")]: "/home/dev/.ssh",
  [below("link-in")]: below("src"),
  [below("link-git")]: "/home/dev/app/.git",
};

const resolve = (path: string): string => {
  const plain = normalize(path, "/");
  const link = Object.keys(LINKS).find((each) => plain === each || plain.startsWith(`${each}/`));
  return link === undefined ? plain : `${LINKS[link]}${plain.slice(link.length)}`;
};

const FACTS: Facts = {
  resolve,
  isCommitted: (path) => [...PROJECTS, ...COMMITTED].map(below).includes(path),
  isUnchanged: (path) => PROJECTS.map(below).includes(path),
  isScriptUnchanged: (_, script) => ["dev", "generate", "start"].includes(script),
  isLocked: (_, name) => LOCKED.includes(name),
  hasLock: (folder) => folder === WORKTREE,
  changesCi: () => false,
};

/** An agent on `feat/a` in a project of many languages. */
export const GROUND: PolicyContext = {
  worktree: WORKTREE,
  cwd: WORKTREE,
  branch: "feat/a",
  remote: "origin",
  otherWorktrees: ["/home/dev/app/.banksman/worktrees/feat-b", "/home/dev/app"],
  home: "/home/dev",
  temp: "/tmp/bm-feat-a",
  broker: "http://127.0.0.1:9119/a/token",
  port: 4100,
  protectedPaths: ["/home/dev/.claude", "/home/dev/app/.claude", "/home/dev/app/.git"],
  level: "safe",
  usual: true,
  stacks: ["rust", "node", "python", "go", "java", "dotnet"],
  extra: [
    ["just", "smoke"],
    ["nox", "-s", "special"],
  ],
  sandbox: false,
  hosts: ["docs.example.org"],
  mcpTools: ["docs.search"],
  facts: FACTS,
};
