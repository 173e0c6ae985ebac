import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { VerificationView } from "../../src/core/gates/view.ts";
import { Stage } from "../stage.ts";

const CONFIG = `[supervisor]
test_command = "true"
governance.docs = ["docs/dod.md", "docs/adr", "docs/gone.md"]
`;

let stage: Stage;
beforeEach(() => {
  stage = new Stage({
    "package.json": '{"name":"x"}\n',
    "docs/dod.md": "- [x] All tests pass\n- [ ] The changelog names it\n- [ ] Errors are values\n",
    "docs/adr/0001-start.md": "# 1. Plain JavaScript\n",
    ".banksman/config.toml": CONFIG,
  });
});
afterEach(() => stage.dispose());

function branch(name: string, files: Readonly<Record<string, string>>): void {
  const { repo, root } = stage;
  repo.git("switch", "-q", "-c", name, "main");
  for (const [path, text] of Object.entries(files)) repo.write(root, path, text);
  repo.commit(root, name);
  repo.git("switch", "-q", "main");
}

const verify = async (ref: string): Promise<VerificationView> =>
  JSON.parse((await stage.bm("verify", ref, "--json")).out) as VerificationView;

/** A reviewer that answers with this, whatever it is asked. */
async function reviewer(answer: string): Promise<void> {
  const script = join(stage.repo.folder, "reviewer");
  writeFileSync(script, `#!/bin/sh\ncat > ${script}.asked\ncat <<'END'\n${answer}\nEND\n`, { mode: 0o755 });
  const folder = join(stage.home, ".config/banksman");
  stage.repo.write(folder, "config.toml", `[roles.reviewer]\ncommand = ["${script}"]\n`);
}

it("holds a branch against the documents of its base: code first, a reviewer for the rest, fail closed", async () => {
  await stage.ok("trust", "--yes");
  branch("bare", { "src/a.js": "1\n", "package.json": '{"name":"x","dependencies":{"left-pad":"1.3.0"}}\n' });
  branch("good", {
    "src/a.js": "1\n",
    "CHANGELOG.md": "a\n",
    "package.json": '{"name":"x","dependencies":{"left-pad":"1.3.0"}}\n',
    "docs/adr/0002-left-pad.md": "# 2. left-pad pads\n",
    // A branch cannot change what it is held against.
    "docs/dod.md": "- [ ] All tests pass\n",
  });
  const bare = await verify("bare");
  expect(bare.verdict).toBe("fail");
  expect(bare.findings.filter(({ kind }) => kind === "review").map(({ message }) => message)).toEqual([
    "not met: The changelog names it (the branch does not change the changelog)",
    "not met: the new dependency left-pad (package.json) needs a decision record (no record names it)",
    "nobody has judged: Errors are values; no reviewer is configured",
  ]);
  expect(bare.notes).toContain("governance document docs/gone.md is not there");
  const unread = await verify("good");
  expect([unread.verdict, unread.findings.map(({ message }) => message)]).toEqual([
    "waiting",
    ["nobody has judged: Errors are values; no reviewer is configured"],
  ]);
  await reviewer("They look fine to me.");
  expect(await verify("good")).toMatchObject({ verdict: "waiting" });
  await reviewer('{"items":[{"id":1,"verdict":"not met","evidence":"src/a.js:1 throws"}]}');
  expect((await verify("good")).findings).toMatchObject([
    { tag: "doc audit", message: "not met: Errors are values (src/a.js:1 throws)", file: "docs/dod.md", line: 3 },
  ]);
  const refused = await stage.bm("land", "good", "--yes");
  expect([refused.code, refused.out]).toEqual([1, expect.stringMatching(/^bounced +good: .*Errors are values/m)]);
  await reviewer('Fine.\n```json\n{"items":[{"id":1,"verdict":"met","evidence":"src/a.js:1"}],"findings":[]}\n```');
  expect(await verify("good")).toMatchObject({ verdict: "pass" });
  expect(await stage.ok("land", "good", "--yes")).toMatch(/^landed +good/m);
  // Asked for again, it is there; it is not held against anything a second time.
  await reviewer("no answer");
  expect(await stage.ok("land", "good", "--yes")).toMatch(/^landed +good/m);
}, 90_000);
