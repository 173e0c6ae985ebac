import { createGit } from "../../src/adapters/git/git.ts";
import { mergeTrees } from "../../src/adapters/git/merge-trees.ts";
import { GitRunner } from "../../src/adapters/git/run.ts";
import { changedPaths, parseLine } from "../../src/adapters/git/status.ts";
import { parseHunks } from "../../src/core/conflicts/parse-hunks.ts";
import type { AgentId, Branch } from "../../src/core/text/ids.ts";
import { patchStatus, reportWork } from "../../src/core/worktrees/report-work.ts";
import { isIgnored, isOutgrown, leftOut, pathsToLookAt } from "../../src/core/worktrees/watch-scope.ts";
import type { Command } from "../../src/ports/command.ts";
import type { Parser } from "./parser.ts";
import { numbered, repeated } from "./shapes.ts";

/** A git that says what it is told to say. */
const saying = (text: string): Command => ({
  run: async () => ({ code: 0, timedOut: false, stdout: Buffer.from(text), stderr: "" }),
});
const runner = (text: string) => new GitRunner(saying(text), "/nowhere", {});
const git = (text: string) =>
  createGit(saying(text), { root: "/nowhere", commonDir: "/nowhere/.git", project: "x" }, {}, "/nowhere/excludes");

const OID = "0".repeat(40);
const PAIR = { ours: OID, theirs: OID } as never;
const lines = (text: string) => text.split("\n").filter((each) => each !== "");
const status = (files: readonly string[]) => ({
  branch: "b" as Branch,
  files: new Map(files.map((file) => [file, ""])),
});

export const GIT: readonly Parser[] = [
  { name: "git: a line of status", run: parseLine, begins: ["? ", "1 .M N... ", "u UU N... "] },
  {
    name: "git: status",
    run: (text) => changedPaths(runner(text), { cwd: "/nowhere" }),
    shapes: {
      "changed files": numbered((i) => `1 .M N... 100644 100644 100644 ${OID} ${OID} f${i}\0`),
      "new files": numbered((i) => `? f${i}\0`),
      "one in every folder": numbered((i) => `? ${"d/".repeat(i % 100)}f${i}\0`),
    },
  },
  {
    name: "git: worktrees",
    run: (text) => git(text).worktrees(),
    shapes: {
      many: numbered((i) => `worktree /w/${i}\0branch refs/heads/${i}\0locked banksman\0\0`),
      "many fields": repeated("locked a\0", "worktree /w\0"),
    },
  },
  {
    name: "git: branches",
    run: (text) => git(text).branches(),
    shapes: { many: numbered((i) => `refs/heads/b${i}\0${OID}\0\n`) },
  },
  {
    name: "git: programs in the config",
    run: (text) => runner(text).run(["status"]),
    shapes: {
      many: numbered((i) => `local\0filter.f${i}.clean\nx\0`),
      "one name": repeated(".a", "local\0filter.", ".clean\nx\0"),
    },
  },
  {
    name: "git: a merge",
    run: async (text) => mergeTrees(runner(text), [PAIR], {}).catch(() => null),
    begins: [`${OID}\0`, `1\0${OID}\0`],
    shapes: {
      conflicts: numbered((i) => `100644 ${OID} ${(i % 3) + 1}\tf${Math.floor(i / 3)}\0`, `0\0${OID}\0`, "\0\0"),
      "one file, many stages": repeated(`100644 ${OID} 1\tf\0`, `0\0${OID}\0`, "\0\0"),
      notes: numbered((i) => `1\0f${i}\0CONFLICT (contents)\0x\0`, `0\0${OID}\0\0`),
      "conflicts and notes": (size) => {
        const count = Math.ceil(size / 130);
        const stages = Array.from({ length: count }, (_, i) => `100644 ${OID} 1\tf${i}\0`).join("");
        const notes = Array.from({ length: count }, (_, i) => `1\0f${i}\0CONFLICT (contents)\0x\0`).join("");
        return `0\0${OID}\0${stages}\0${notes}\0`;
      },
      "a count too large": () => `0\0${OID}\0\0${"9".repeat(9)}\0a\0`,
    },
  },
  {
    name: "git: hunks",
    run: (text) => parseHunks(text, { ours: ["ours"], theirs: ["theirs"] }),
    begins: ["<<<<<<< ours\n", "<<<<<<< ours\n|||||||", "<<<<<<< ours\n=======\n"],
    ends: ["\n>>>>>>> theirs\n"],
    shapes: {
      "long markers": repeated("<", "", " ours\n=\n"),
      "lines within long markers": (size) => `${"<".repeat(size / 2)} ours\n${"=\n".repeat(size / 4)}`,
      "many hunks": repeated("<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n"),
      "inner markers": repeated("<<<<<<<<< ours:a:b\n", "<<<<<<< ours\n"),
    },
  },
  {
    name: "work: news of a look",
    run: (text) => {
      const files = lines(text);
      const before = status(files.slice(0, 5_000));
      const after = patchStatus(before, files.slice(0, 200), status(files.slice(0, 200)));
      return reportWork({
        agent: "a" as AgentId,
        before,
        now: after,
        committed: files,
        known: files,
        branch: "b" as Branch,
      });
    },
    shapes: { files: numbered((i) => `d/f${i}\n`) },
  },
  {
    name: "work: what is ignored",
    run: (text) => {
      const names = lines(text);
      const ignored = new Set(names.map((name) => `${name}/`));
      return [
        leftOut(ignored),
        isOutgrown(names.slice(0, 100), ignored, status(names)),
        names.map((name) => isIgnored(name, ignored)),
        pathsToLookAt(names),
      ];
    },
    shapes: {
      folders: numbered((i) => `d${i}\n`),
      "one deep path": repeated("d/"),
      "deep paths": numbered((i) => `${"d/".repeat(500)}${i}\n`),
    },
  },
];
