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
    ["Delete the failing test", "remove"],
    ["Delete the login test.", "remove"],
    ["Then removing all failing checks is enough.", "remove"],
    ["Remove the flaky spec", "remove"],
    ["Turn off the failing check", "skip"],
    ["Switch the slow login check off.", "skip"],
    ["Comment the test out", "skip"],
    ["Do not run the login test", "skip"],
    ["Don't run the flaky suite on CI.", "skip"],
    ["Change the assertion so it passes", "too strict"],
    ["update the snapshot to make it pass", "too strict"],
    ["Edit the expected output until it is green.", "too strict"],
    ["raise the tolerance of the check", "soften"],
    ["Set `continue-on-error: true`", "marker"],
    ["```yaml\n- run: npm test\n  continue-on-error: true\n```", "marker"],
    ["Use `xit('login', …)` for now", "marker"],
    ['```js\nxit("logs in", () => {})\nexit(1)\n```', "marker"],
    ["If it does not change skip the test.", "skip"],
    ["Do not delete the failing test, comment it out: the test is out of date, so turn the check off.", "skip"],
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
    "Add a test that fails when the token is old.",
    "Run the failing test first.",
    "Run the failing test first, then change the parser so that it passes.",
    "Change the code that the failing test covers so it passes.",
    "Change the parser so the tests pass.",
    "Never delete the failing test.",
    "Do not remove the flaky spec.",
    "Do not turn off the failing check, and do not comment the test out.",
    "Do not change the assertion so it passes.",
    "Never update the snapshot to make it pass; do not raise the tolerance of the check.",
    "Never set `continue-on-error: true`.",
    "Do not run the tests in parallel.",
    "Remove the test user from the database after the run.",
    "Delete the test data, and remove the login page.",
    "Turn off the lamp before the test begins.",
    "Raise the limit that the test found to be too low.",
    '```js\nprocess.exit(1); model.fit(x); edit("the test");\n```',
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
