import { expect, it } from "vitest";
import { type Check, diagnose, type MachineFacts, overall, type RepositoryState } from "./diagnose.ts";

const REPOSITORY: RepositoryState = {
  root: "/r",
  config: [],
  untrusted: [],
  clis: ["claude"],
  state: "writable",
  supervisor: "answers",
  session: "active",
  unhidden: false,
  loose: [],
  launchFiles: [],
  lostWorktrees: [],
  brokenWorktrees: [],
  journal: null,
};
const GOOD: MachineFacts = {
  node: "20.19.0",
  git: "2.39.5",
  tmux: "3.3a",
  setpriv: true,
  linux: true,
  repository: REPOSITORY,
};
const bad = (checks: readonly Check[]) =>
  checks.filter(({ status }) => status !== "ok").map(({ name, status }) => `${name} ${status}`);

it("finds nothing on a good machine", () => {
  expect([bad(diagnose(GOOD)), overall(diagnose(GOOD))]).toEqual([[], "ok"]);
});

it.each<readonly [string, Partial<MachineFacts>, Partial<RepositoryState>, string[], string]>([
  ["no tmux", { tmux: null }, {}, ["tmux warn"], "warn"],
  ["an old tmux", { tmux: "2.9a" }, {}, ["tmux warn"], "warn"],
  ["no git", { git: null }, {}, ["git fail"], "fail"],
  ["an old node", { node: "18.20.1" }, {}, ["node fail"], "fail"],
  ["no setpriv", { setpriv: false }, {}, ["setpriv warn"], "warn"],
  ["a config that cannot be read", {}, { config: ["config.toml:3: not TOML"] }, ["config fail"], "fail"],
  ["untrusted keys", {}, { untrusted: ["worktree.setup"] }, ["trust warn"], "warn"],
  ["no CLI", {}, { clis: [] }, ["CLIs warn"], "warn"],
  ["a state folder of somebody else's", {}, { state: "refused" }, ["state folder fail"], "fail"],
  ["a stale supervisor", {}, { supervisor: "stale" }, ["background process warn"], "warn"],
  ["a silent supervisor", {}, { supervisor: "silent" }, ["background process fail"], "fail"],
  ["a session without supervisor", {}, { supervisor: "none" }, ["background process warn"], "warn"],
  ["modes that let others in", {}, { loose: ["/s"] }, ["modes warn"], "warn"],
  ["no ignore file", {}, { unhidden: true }, ["ignore file warn"], "warn"],
  ["launchers that are left", {}, { launchFiles: ["/s/launch/x.sh"] }, ["launchers warn"], "warn"],
  ["a lost worktree", {}, { lostWorktrees: ["/w"] }, ["worktrees warn"], "warn"],
  ["a worktree without its link", {}, { brokenWorktrees: ["/w"] }, ["worktrees warn"], "warn"],
  ["a journal that is none", {}, { journal: "it is not a journal" }, ["journal fail"], "fail"],
])("%s", (_, machine, repository, found, status) => {
  const checks = diagnose({ ...GOOD, ...machine, repository: { ...REPOSITORY, ...repository } });
  expect([bad(checks), overall(checks)]).toEqual([found, status]);
  for (const check of checks) expect([check.name, check.remedy === ""]).toEqual([check.name, check.status === "ok"]);
});

it("outside a repository says so, and still looks at the machine", () => {
  expect(bad(diagnose({ ...GOOD, repository: null }))).toEqual(["repository fail"]);
});
