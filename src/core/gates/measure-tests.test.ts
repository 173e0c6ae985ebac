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
    ["prose", "const contest = latest(expected);\n", [0, 0, 0]],
  ])("%s", (_, text, expected) => {
    const { tests, assertions, skips } = measureTests(text);
    expect([tests, assertions, skips]).toEqual(expected);
  });
});
