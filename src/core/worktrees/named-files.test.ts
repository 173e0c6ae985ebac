import { describe, expect, it } from "vitest";
import { leadsOut, namedIn } from "./named-files.ts";

describe("files that are named", () => {
  it.each([
    ["git=./evil.sh\nregistry=https://x.example/\n", "evil.sh"],
    ["yarnPath: .yarn/releases/yarn-4.cjs\n", ".yarn/releases/yarn-4.cjs"],
    ["plugins:\n  - path: ./tools/plugin.cjs\n", "tools/plugin.cjs"],
    ['yarn-path "tools/yarn.js"\n', "tools/yarn.js"],
    ["const x = require('./hooks/x');\n", "hooks/x.js"],
    ["node-options=--require ./x.js\n", "x.js"],
    ["git=.//evil.sh\n", "evil.sh"],
    ["git=././a/.//../evil.sh\n", "evil.sh"],
    ["git=./a tool, of ours.sh\n", "a tool, of ours.sh"],
    ['yarnPath: "./my yarn.cjs"\n', "my yarn.cjs"],
  ])("in %j are found", (text, name) => expect(namedIn(text)).toContain(name));
  it("are looked for in the folder of whoever names them, too", () => {
    expect(namedIn("require('./more')", "tools/sub")).toContain("tools/sub/more.js");
    expect(namedIn("require('../more')", "tools/sub")).toContain("tools/more.js");
  });
  it("never lead out, and are bounded", () => {
    expect(namedIn("git=../evil.sh a=/etc/passwd")).not.toContain("../evil.sh");
    expect(namedIn(Array.from({ length: 5_000 }, (_, i) => `f${i}`).join(" ")).length).toBeLessThan(5_000);
    expect(namedIn("x".repeat(1_000_000))).toEqual([]);
  });
});

describe("settings", () => {
  it.each([
    [`git=\${PWD}/../../../evil.sh`],
    ["git=../evil.sh"],
    ["git=a/../../evil.sh"],
    ["git=/proc/self/cwd/evil.sh"],
    ["git=//proc/self/cwd/evil.sh"],
    ["git = ~/evil.sh"],
    ['git="\\u002e\\u002e/evil.sh"'],
    ["node-options=--require=/tmp/x.js"],
    ['yarn-path "/tmp/yarn.js"'],
    ["yarnPath: file:///tmp/x.cjs"],
    ["yarnPath: !!binary L3RtcC94"],
    ["yarnPath:\n  /tmp/x.cjs"],
    ["//registry.example/:tokenHelper=/tmp/x"],
    ["packages:\n  - ../outside"],
    [`# ${Array.from({ length: 500 }, (_, i) => `w${i}`).join(" ")}\ngit=./evil.sh`],
  ])("%j lead out", (text) => expect(leadsOut(text)).toBe(true));
  it.each([
    [`registry=https://registry.example/npm/\n//registry.example/npm/:_authToken=\${NPM_TOKEN}\nalways-auth=true`],
    [`@ours:registry = https://npm.example/\n_auth=\${AUTH}\nhttps-proxy=\${PROXY}\n`],
    ["# see ../README, or /etc\ngit=./tools/git.sh\nsave-exact=true"],
    [`yarnPath: .yarn/releases/yarn-4.cjs\nnpmScopes:\n  ours:\n    npmAuthToken: "\${TOKEN:-}"\n`],
    ['"@ours:registry" "https://npm.example/"\nyarn-path ".yarn/releases/yarn-1.cjs"\n'],
    ['packages:\n  - "packages/**"\n  - "!**/test/**"\ncatalog:\n  react: ^19.0.0\n'],
  ])("%j do not", (text) => expect(leadsOut(text)).toBe(false));
});
