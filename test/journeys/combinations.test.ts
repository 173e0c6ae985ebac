import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Stage } from "../stage.ts";

/** Each of two changes is right by itself: the price in cents, and a total that takes it for euros. */
const TEST = `import test from "node:test";
import assert from "node:assert";
import { price, total } from "./shop.mjs";
test("a total is what things cost", () => assert.equal(total(2), 2 * price() * 1));
`;
const SHOP = `export const price = () => 5;

// far
// enough
// apart
// to merge

export const total = (count) => count * price();
`;

let stage: Stage;
beforeEach(() => {
  stage = new Stage({
    "shop.mjs": SHOP,
    "shop.test.mjs": TEST,
    ".banksman/config.toml": '[supervisor]\ntest_command = "node --test"\n',
  });
  stage.env = { ...stage.env, BANKSMAN_TEST_TIMERS: JSON.stringify({ workRests: 50, lookAround: 500 }) };
});
afterEach(() => stage.dispose());

async function errorsOf(agent: string, so: (text: string) => boolean): Promise<string> {
  for (;;) {
    const entries = await stage.json<{ type: string; text: string }[]>("inbox", agent);
    const text = entries
      .filter(({ type }) => type === "agent.feedback")
      .map((each) => each.text)
      .join("\n");
    if (so(text)) return text;
    await sleep(30);
  }
}

const edit = (agent: string, text: string) => writeFileSync(join(stage.worktree(agent), "shop.mjs"), text);

it("tests uncommitted work of two agents together, and tells both what fails before either lands", async () => {
  const folder = join(stage.home, ".config/banksman");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.toml"), "[supervisor]\nenabled = true\n");
  await stage.ok("trust", "--yes");
  for (const agent of ["aa", "bb"]) stage.script(agent, [{ do: "stall" }]);
  await stage.start("aa,bb");
  // Alone, each is green: the one still multiplies, the other counts the same.
  edit("aa", SHOP.replace("count * price()", "count * 5"));
  edit("bb", SHOP.replace("() => 5", "() => 6"));
  const told = await errorsOf("aa", (text) => text.includes("together with that of bb"));
  expect(told).toMatch(
    /^\[regression\] .*a total is what things cost fails once your work is together with that of bb/m,
  );
  expect(await errorsOf("bb", (text) => text.includes("together"))).toContain("together with that of aa");
  const { combinations } = await stage.status();
  expect(combinations).toMatchObject([{ agents: ["aa", "bb"], findings: [{ tag: "regression" }] }]);
  expect(await stage.ok("status")).toMatch(/aa and bb are red together/);
  // Mended by one of them, nothing is red any more.
  edit("aa", SHOP);
  await stage.until((snapshot) => snapshot.combinations.length === 0);
}, 60_000);
