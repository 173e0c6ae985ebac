import { expect, it } from "vitest";
import { FakeFiles } from "../../../test/fakes/fake-files.ts";
import { LEADS_OUT, UNREADABLE } from "../../core/worktrees/set-up-files.ts";
import { observeObeyed } from "./observe-obeyed.ts";

const NAMES = ["package-lock.json", "package.json", ".npmrc", ".yarn/releases/"];

async function observed(files: Readonly<Record<string, string>>) {
  const fake = new FakeFiles();
  for (const [name, text] of Object.entries(files)) fake.files.set(`/r/${name}`, text);
  return observeObeyed(fake, "/r", NAMES);
}

it("has the files that are there, and those that they name", async () => {
  const found = await observed({
    "package-lock.json": "{}",
    ".npmrc": "git=./tools/git.sh\n",
    "tools/git.sh": "exec ./tools/more.js\n",
    "tools/more.js": "",
    "tools/other.js": "",
    ".yarn/releases/yarn.cjs": "",
  });
  expect(Object.keys(found).sort()).toEqual([
    ".npmrc",
    ".yarn/releases/yarn.cjs",
    "package-lock.json",
    "tools/git.sh",
    "tools/more.js",
  ]);
});

it("changes with any of them, and not with what does not count", async () => {
  const files = { "package.json": '{"scripts":{"a":"1"}}', ".npmrc": "git=./g.sh\n", "g.sh": "one" };
  const before = await observed(files);
  expect(await observed({ ...files, "package.json": '{"scripts":{"a":"2"}}' })).toEqual(before);
  expect(await observed({ ...files, "g.sh": "two" })).not.toEqual(before);
});

it("cannot be trusted where one of them leads elsewhere, or there is no end to them", async () => {
  expect(Object.values(await observed({ ".npmrc": "link:/elsewhere" }))).toEqual([UNREADABLE]);
  expect(Object.values(await observed({ ".npmrc": "git=./g.sh", "g.sh": "link:/elsewhere" }))).toContain(UNREADABLE);
  expect(await observed({ ".npmrc": `git=\${PWD}/evil.sh` })).toEqual({ ".npmrc": LEADS_OUT });
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`.yarn/releases/${i}`, ""]));
  expect(Object.values(await observed(many))).toContain(UNREADABLE);
});
