import { describe, expect, it } from "vitest";
import { isTestFile, mayHoldTests, measureTests } from "./measure-tests.ts";

describe("which files hold tests", () => {
  it.each([
    "src/a.test.ts",
    "a.spec.jsx",
    "test/a.js",
    "tests/unit/x.py",
    "test_a.py",
    "a_test.go",
    "pkg/FooTest.java",
    "spec/a_spec.rb",
    "e2e/login.cy.ts",
  ])("%s", (path) => expect(isTestFile(path)).toBe(true));
  it.each(["src/a.ts", "test/data.json", "README.md", "src/contest.ts", "latest/x.ts", "tests/README.md"])(
    "not %s",
    (path) => expect(isTestFile(path)).toBe(false),
  );
  it("Rust keeps them beside the code", () =>
    expect([mayHoldTests("src/lib.rs"), isTestFile("src/lib.rs")]).toEqual([true, false]));
});

describe("what is counted in them", () => {
  it.each<readonly [string, string, readonly [number, number, number]]>([
    ["vitest", 'it("a", () => { expect(1).toBe(1); });\ntest.skip("b", () => {});\n', [2, 1, 1]],
    ["each", 'test.each([1, 2])("a %i", (n) => expect(n).toBe(n));\n', [1, 1, 0]],
    ["only", 'describe.only("x", () => { it("a", () => { assert.ok(1); }); });\n', [1, 1, 1]],
    ["xit", 'xit("a", () => expect(1));\n', [0, 1, 1]],
    ["node:test options", 'test("a", { skip: true }, () => assert(1));\n', [1, 1, 1]],
    ["pytest", "@pytest.mark.skip\ndef test_a():\n    assert 1 == 1\n", [1, 1, 1]],
    ["unittest", "    def test_a(self):\n        self.assertEqual(1, 1)\n        self.skipTest('x')\n", [1, 2, 1]],
    ["rust", "#[test]\n#[ignore]\nfn a() { assert_eq!(1, 1); }\n", [1, 1, 1]],
    ["go", 'func TestA(t *testing.T) { t.Skip("x"); t.Errorf("y") }\n', [1, 1, 1]],
    ["java", "  @Test\n  @Disabled\n  void a() { assertEquals(1, 1); }\n", [1, 1, 1]],
    ["a comment", '// it.skip("a")\n# pytest.skip()\n * expect(x)\n', [0, 0, 0]],
    ["a block comment", '/*\nit("a", () => expect(1));\n*/\nit("b", () => expect(2));\n', [1, 1, 0]],
    ["a block comment on one line", '/* it("a") */\n/** doc */\nit("b", () => expect(2));\n', [1, 1, 0]],
    ["what looks like a comment in a text", 'it("a", () => expect(glob("src/**/*.ts")));\nexpect(1);\n', [1, 2, 0]],
    ["vitest's other words", 'it.fails("a"); test.skipIf(1)("b"); describe.runIf(0)("c");\n', [1, 0, 3]],
    ["playwright", 'test.fixme("a", () => {});\n', [0, 0, 1]],
    ["inside of a test", 'test("a", (t) => { t.todo(); this.skip(); });\n', [1, 0, 2]],
    [
      "options that are not just true",
      'test("a", { skip: !0 }); test("b", { todo: 1 }); test("c", { skip: false });\n',
      [3, 0, 2],
    ],
    ["pytest for a whole file", "pytestmark = pytest.mark.skip\npytest.importorskip('x')\n", [0, 0, 2]],
    ["python's own", "test_a.__test__ = False\nraise unittest.SkipTest('x')\n", [0, 0, 2]],
    ["rust's other ways", "#[cfg(any())]\n#[cfg_attr(all(), ignore)]\n#![cfg(FALSE)]\n", [0, 0, 3]],
    ["pages", "const page = await find({ skip: 10, only: names });\n", [0, 0, 0]],
    ["prose", "const contest = latest(expected);\n", [0, 0, 0]],
  ])("%s", (_, text, expected) => {
    const { tests, assertions, skips } = measureTests(text);
    expect([tests, assertions, skips]).toEqual(expected);
  });

  it("where the runner ends early, and what is never reached", () => {
    const ends = (text: string) => measureTests(text).ends;
    expect(ends("process.exit(0);\nos._exit(0)\n")).toBe(2);
    expect(ends("if (false) expect(1);\nif False:\n    assert 1\n#if 0\n//go:build never\n")).toBe(4);
    expect(ends("process.on('exit', f);\nif (isFalse(0)) f();\n// process.exit(0)\n")).toBe(0);
  });
});
