import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgentId, type Branch, type Instant, RESERVED_IDS } from "./ids.ts";
import { AGENT_ID, backupRef, madeBackup, nameAgents, sessionName, slug, worktreePath } from "./naming.ts";

const names = (...branches: string[]) => [...nameAgents(branches as Branch[]).values()];

describe("an agent's id", () => {
  it("is the branch with dashes for slashes, as the seed has it", () => {
    expect(names("feat/errors", "main", "a/b/c", "feat/my_feature", "hotfix")).toEqual([
      "feat-errors",
      "main",
      "a-b-c",
      "feat-my_feature",
      "hotfix",
    ]);
  });
  it("carries a hash where more than a slash is lost", () => {
    for (const branch of [
      "FEAT/X",
      "feat/日本語",
      "feat/$(id)",
      "v1.2",
      "x".repeat(60),
      "feat//x".replace("//", "/.x"),
    ]) {
      expect(names(branch)[0]).toMatch(/-[0-9a-f]{4}$/);
    }
  });
  it("keeps two branches apart that would look the same", () => {
    const [first, second] = names("a/b", "a-b");
    expect(first).toBe("a-b");
    expect(second).toMatch(/^a-b-[0-9a-f]{4}$/);
  });
  it("never takes a voice that carries authority", () => {
    for (const reserved of RESERVED_IDS) expect(names(reserved)[0]).not.toBe(reserved);
  });
  it("does not change for agents that are already here", () => {
    const taken = new Map([["a-b" as AgentId, "a-b" as Branch]]);
    expect(nameAgents(["a/b" as Branch], taken).get("a/b" as Branch)).toMatch(/^a-b-/);
    expect(nameAgents(["a-b" as Branch], taken).get("a-b" as Branch)).toBe("a-b");
  });
  it("is valid and unique for any set of branches", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.oneof(fc.string(), fc.stringMatching(/^[abAB/_-]{1,6}$/), fc.string({ minLength: 40, maxLength: 90 })),
        ),
        (branches) => {
          const given = [...nameAgents(branches as Branch[])];
          expect(given.length).toBe(branches.length);
          expect(new Set(given.map(([, name]) => name)).size).toBe(branches.length);
          for (const [, name] of given) expect(name).toMatch(AGENT_ID);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

it("slugs as the seed's table does", () => {
  const table = {
    "feat/errors": "feat-errors",
    "FEAT/X": "feat-x",
    "---": "",
    "feat//x": "feat-x",
    "/feat/x/": "feat-x",
    "feat/日本語": "feat",
  };
  for (const [text, expected] of Object.entries(table)) expect(slug(text)).toBe(expected);
});

it("tells two clones of one project apart", () => {
  expect(sessionName("My App", "/home/a/My App/.git")).toMatch(/^bm-my-app-[0-9a-f]{4}$/);
  expect(sessionName("app", "/a/.git")).not.toBe(sessionName("app", "/b/.git"));
});

it("places worktrees below the checkout, or beside it", () => {
  expect(worktreePath("child", "/w/app", "feat-a" as AgentId)).toBe("/w/app/.banksman/worktrees/feat-a");
  expect(worktreePath("sibling", "/w/app", "feat-a" as AgentId)).toBe("/w/app-feat-a");
});

it("gives every removal a backup of its own", () => {
  expect(backupRef("feat-a" as AgentId, 1_763_234_425_604 as Instant)).toBe(
    "refs/banksman/backup/feat-a/20251115T192025604Z",
  );
});

it("finds the backup a removal made, also under another number", () => {
  const ref = "refs/banksman/backup/a/1";
  expect(madeBackup(ref, [`${ref}0`, "refs/banksman/backup/b/1"])).toBe(null);
  expect(madeBackup(ref, [`${ref}0`, ref])).toBe(ref);
  expect(madeBackup(ref, [ref, `${ref}-10`, `${ref}-9`, `${ref}-x`])).toBe(`${ref}-10`);
});
