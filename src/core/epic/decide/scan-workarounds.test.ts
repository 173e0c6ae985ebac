import { describe, expect, it } from "vitest";
import { scanWorkarounds } from "./scan-workarounds.ts";

describe("text that routes around a check", () => {
  it.each([
    ["we may need to adjust some tests", "adjust"],
    ["Add `it.skip` to the login test", "marker"],
    ["we can not reproduce it, so skip the failing test", "skip"],
    ["It does not fail here; skip the test on CI.", "skip"],
    ["If it does not pass skip the test.", "skip"],
    ["Do not skip the lint, disable the failing check instead.", "skip"],
    ["Why not skip the test?", "skip"],
    ["Do not only skip the login test but the others too.", "skip"],
    ['Then "skip" the login test.', "skip"],
    ["Use this:\n```ts\nit.skip('login', () => {})\n```", "marker"],
    ["Commit with `git commit --no-verify`", "marker"],
    ["Either fix it, or skip this test on host X.", "skip"],
    ["Relax the assertion to two seconds", "soften"],
    ["This is environment drift.", "drift"],
  ])("%j is found", (text, rule) => {
    expect(scanWorkarounds(text).map((hit) => hit.rule)).toContain(rule);
  });

  it.each([
    "Find out why the login test fails, and mend the token store.",
    "Never skip this test.",
    "Do not skip or disable tests.",
    "The failing test must not be skipped.",
    "Mend it without skipping the test.",
    "Rather than skip the test, mend the parser.",
    "Don't add `it.skip` to it.",
    'Our rule: "never skip this test on host X".',
    "> skip the test",
    "Adjust the time-out of the server, and update the tests for the new API.",
    "```\n3 tests were skipped in the log of the build\n```",
  ])("%j is not", (text) => {
    expect(scanWorkarounds(text)).toEqual([]);
  });

  it("takes time that grows with the text, not faster", () => {
    const took = (size: number) => {
      const text = "not to be it the a any ".repeat(size);
      const begun = performance.now();
      scanWorkarounds(text);
      return performance.now() - begun;
    };
    took(100);
    const [small, large] = [took(800), took(8_000)];
    expect(large).toBeLessThan((small + 5) * 60);
  });
});
