import { describe, expect, it } from "vitest";
import { type DotGit, judgeRemoval, type WorktreeFacts } from "./judge-removal.ts";

const CLEAN: WorktreeFacts = {
  place: "folder",
  dotGit: "link",
  hasFiles: true,
  hasIndex: true,
  changed: 0,
  commits: 0,
  repositories: [],
  unreadable: [],
};

const verdict = (facts: Partial<WorktreeFacts>): string => {
  const judged = judgeRemoval({ ...CLEAN, ...facts });
  return judged.goes ? judged.save : `stays: ${[judged.why, ...judged.what].join(" ")}`;
};

describe("a worktree goes", () => {
  it("without a backup, only where git has listed everything and found nothing", () => {
    expect(verdict({})).toBe("nothing");
    expect(verdict({ changed: 1 })).toBe("as-git-tells");
    expect(verdict({ commits: 1 })).toBe("as-git-tells");
  });
  it("with every file saved, where git cannot list what has changed", () => {
    expect(verdict({ changed: null })).toBe("plain-files");
    expect(verdict({ changed: null, hasIndex: false, dotGit: "absent" })).toBe("plain-files");
  });
  it("with the commits that only its HEAD has, also where its folder is gone", () => {
    expect(verdict({ place: "nothing", dotGit: "absent", hasFiles: false, hasIndex: false, commits: 2 })).toBe(
      "commits",
    );
    expect(verdict({ place: "nothing", dotGit: "absent", hasFiles: false, hasIndex: false })).toBe("nothing");
  });
  it("with what is staged, where the folder is gone and git's record is left", () => {
    expect(verdict({ place: "nothing", dotGit: "absent", hasFiles: false, changed: 3 })).toBe("as-git-tells");
    expect(verdict({ place: "nothing", dotGit: "absent", hasFiles: false, changed: null })).toBe("nothing");
  });
  it("whatever its `.git` is, as long as nothing is in it", () => {
    const kinds: DotGit[] = ["absent", "empty", "elsewhere", "special"];
    expect(kinds.map((dotGit) => verdict({ dotGit, changed: 1 }))).toEqual(kinds.map(() => "as-git-tells"));
    expect(verdict({ dotGit: "other-file", hasFiles: false })).toBe("as-git-tells");
    expect(verdict({ dotGit: "other-file", hasFiles: false, hasIndex: false, changed: null })).toBe("plain-files");
  });
  it("with repositories inside only where each is proven to hold nothing of its own", () => {
    const inside = { path: "vendor/lib", clean: true, ownCommits: false };
    expect(verdict({ repositories: [inside] })).toBe("nothing");
  });
});

describe("a worktree stays", () => {
  it("where something else stands in its place", () => {
    expect(verdict({ place: "other" })).toBe("stays: no-folder");
  });
  it("where its `.git` is a repository, or cannot be looked at", () => {
    expect(verdict({ dotGit: "folder" })).toBe("stays: own-repository");
    expect(verdict({ dotGit: "unreadable" })).toBe("stays: unreadable .git");
  });
  it("where a folder cannot be looked into", () => {
    expect(verdict({ unreadable: ["secret"] })).toBe("stays: unreadable secret");
  });
  it("where a repository inside has work of its own, or it is not known whether it has", () => {
    const kinds = [
      { clean: false, ownCommits: false },
      { clean: true, ownCommits: true },
      { clean: null, ownCommits: false },
      { clean: true, ownCommits: null },
    ];
    for (const kind of kinds)
      expect(verdict({ repositories: [{ path: "app", ...kind }] })).toBe("stays: repositories app");
  });
  it("where the history of what it holds cannot be read", () => {
    expect(verdict({ commits: null })).toBe("stays: history");
  });
});
