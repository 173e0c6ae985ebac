import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createGh } from "../../src/adapters/github/gh.ts";
import { createCommand } from "../../src/adapters/process/command.ts";
import type { Failure } from "../../src/core/failure/failure.ts";
import type { Issue } from "../../src/core/specs/issue.ts";
import type { Forge } from "../../src/ports/forge.ts";
import { FakeForge } from "../fakes/fake-forge.ts";
import { StandInGh } from "../stand-in-gh.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

interface Ground {
  readonly forge: Forge;
  has(issue: Issue): void;
  hasPull(number: number): void;
  loggedOut(): void;
}

function fake(): Ground {
  const forge = new FakeForge();
  return {
    forge,
    has: (issue) => void forge.issues.set(issue.number, issue),
    hasPull: (number) => void forge.pulls.add(number),
    loggedOut: () => {
      forge.failure = { kind: "forge.login" };
    },
  };
}

function withGh(): Ground & { readonly gh: StandInGh } {
  const folder = mkdtempSync(join(tmpdir(), "bm-forge-"));
  folders.push(folder);
  const gh = new StandInGh(folder);
  const forge = createGh(createCommand("bm-test.command"), folder, { PATH: gh.path });
  const pull = (number: number) => `https://github.com/o/r/pull/${number}`;
  return {
    forge,
    gh,
    has: (issue) => gh.has(issue),
    hasPull: (number) => gh.has({ ...issueOf(number), url: pull(number) }),
    loggedOut: () => gh.fails("login"),
  };
}

const issueOf = (number: number, open = true): Issue => ({
  number,
  title: `Issue ${number}`,
  body: "Please.\n\n- [ ] `$(touch owned)`",
  author: "octocat",
  url: `https://github.com/o/r/issues/${number}`,
  open,
});

const failureOf = (work: Promise<unknown>): Promise<Failure | null> =>
  work.then(
    () => null,
    (error: { failure?: Failure }) => error.failure ?? null,
  );

describe.each<readonly [string, () => Ground]>([
  ["fake", fake],
  ["gh", withGh],
])("Forge (%s)", (_, make) => {
  it("reads issues, open and closed", async () => {
    const { forge, has } = make();
    has(issueOf(12));
    has(issueOf(15, false));
    expect([await forge.issue(12), await forge.issue(15)]).toEqual([issueOf(12), issueOf(15, false)]);
  });
  it("says that there is no such issue, and that a pull request is none", async () => {
    const { forge, hasPull } = make();
    hasPull(7);
    expect(await failureOf(forge.issue(8))).toEqual({ kind: "issue.unknown", number: 8, is: null });
    expect(await failureOf(forge.issue(7))).toEqual({ kind: "issue.unknown", number: 7, is: "pull request" });
  });
  it("says that nobody is logged in", async () => {
    const { forge, has, loggedOut } = make();
    has(issueOf(12));
    loggedOut();
    expect(await failureOf(forge.issue(12))).toEqual({ kind: "forge.login" });
  });
});

describe("gh", () => {
  it.each([
    ["credentials", { kind: "forge.login" }],
    ["remotes", { kind: "forge.no-repository" }],
    ["host", { kind: "forge.no-repository" }],
    ["offline", { kind: "forge.failed", detail: expect.stringContaining("error connecting") }],
  ] as const)("failing for %s is %j", async (how, failure) => {
    const { forge, gh } = withGh();
    gh.fails(how);
    expect(await failureOf(forge.issue(1))).toEqual(failure);
  });
  it.each(["", "not JSON", "[]", '{"number":2,"title":"another","state":"OPEN"}', `{"number":${"9".repeat(400)}}`])(
    "that says %j is not believed",
    async (text) => {
      const { forge, gh } = withGh();
      gh.says(text);
      expect(await failureOf(forge.issue(1))).toMatchObject({ kind: "forge.failed" });
    },
  );
  it("that is not installed is named", async () => {
    const forge = createGh(createCommand("bm-test.command"), tmpdir(), { PATH: "/nonexistent" });
    expect(await failureOf(forge.issue(1))).toEqual({ kind: "forge.missing", program: "gh" });
  });
});
