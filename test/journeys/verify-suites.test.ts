import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { type Files, LandingStage } from "../landing/ground.ts";

/** A small project with its own tests: how it runs them, and the branch that breaks one. */
interface Project {
  readonly name: string;
  /** What has to be there; a reason to skip where it is not. */
  readonly needs: readonly string[];
  readonly test: string;
  readonly files: Files;
  readonly broken: Files;
  /** Tests, passed, skipped. */
  readonly counts: readonly [number, number, number];
  readonly failing: { readonly message: RegExp; readonly file: string; readonly line: number };
}

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

const PROJECTS: readonly Project[] = [
  {
    name: "JavaScript, node:test",
    needs: ["node"],
    test: "node --test",
    files: {
      "package.json": '{ "type": "module" }\n',
      "src/stack.js":
        "export class Stack {\n  all = [];\n  push(it) { this.all.push(it); }\n  pop() { return this.all.pop(); }\n}\n",
      "test/stack.test.js": `import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Stack } from "../src/stack.js";
describe("a stack", () => {
  it("gives back the last one", () => {
    const stack = new Stack();
    stack.push(1);
    stack.push(2);
    assert.equal(stack.pop(), 2);
  });
  it("is empty at first", () => assert.equal(new Stack().pop(), undefined));
  it("is shown", { skip: "not yet" }, () => {});
});
`,
    },
    broken: { "src/stack.js": "export class Stack {\n  push() {}\n  pop() {}\n}\n" },
    counts: [3, 2, 1],
    failing: { message: /gives back the last one fails/, file: "test/stack.test.js", line: 5 },
  },
  {
    name: "JavaScript, vitest",
    needs: ["node"],
    test: `node ${MODULES}/vitest/vitest.mjs run --root .`,
    files: {
      "package.json": '{ "type": "module" }\n',
      "vitest.config.js": "export default { test: { globals: true, include: ['*.test.js'], watch: false } };\n",
      "words.js": "export const words = (text) => text.split(/\\s+/).filter(Boolean);\n",
      "words.test.js": `import { words } from "./words.js";
describe("words", () => {
  it("are counted", () => expect(words("a b  c").length).toBe(3));
  it("may be none", () => expect(words("")).toEqual([]));
  it.skip("have accents", () => {});
});
`,
    },
    broken: { "words.js": "export const words = (text) => text.split(/\\s+/);\n" },
    counts: [3, 2, 1],
    failing: { message: /words > may be none fails/, file: "words.test.js", line: 4 },
  },
  {
    name: "Python, unittest",
    needs: ["python3"],
    test: "python3 -m unittest",
    files: {
      "primes.py": "def is_prime(n):\n    return n > 1 and all(n % k for k in range(2, n))\n",
      "test_primes.py": `import unittest
from primes import is_prime

class PrimesTest(unittest.TestCase):
    def test_small(self):
        self.assertTrue(is_prime(7))

    def test_one(self):
        self.assertFalse(is_prime(1))

    @unittest.skip("slow")
    def test_large(self):
        self.assertTrue(is_prime(10007))
`,
    },
    broken: { "primes.py": "def is_prime(n):\n    return True\n" },
    counts: [3, 2, 1],
    failing: { message: /test_one .*fails/, file: "test_primes.py", line: 9 },
  },
  {
    name: "Python, pytest",
    needs: ["python3 -m pytest"],
    test: "python3 -m pytest -q -p no:cacheprovider",
    files: {
      "primes.py": "def is_prime(n):\n    return n > 1 and all(n % k for k in range(2, n))\n",
      "test_primes.py": `import pytest
from primes import is_prime

@pytest.mark.parametrize("n", [2, 3, 5])
def test_small(n):
    assert is_prime(n)

def test_one():
    assert not is_prime(1)

@pytest.mark.skip
def test_large():
    assert is_prime(10007)
`,
    },
    broken: { "primes.py": "def is_prime(n):\n    return True\n" },
    counts: [5, 4, 1],
    failing: { message: /test_one fails/, file: "test_primes.py", line: 9 },
  },
  {
    name: "Go",
    needs: ["go"],
    test: "go test -v ./...",
    files: {
      "go.mod": "module example.com/sum\n\ngo 1.18\n",
      "sum.go":
        "package sum\n\nfunc Sum(all ...int) (n int) {\n\tfor _, each := range all {\n\t\tn += each\n\t}\n\treturn\n}\n",
      "sum_test.go": `package sum

import "testing"

func TestSum(t *testing.T) {
	if Sum(1, 2) != 3 {
		t.Errorf("got %d", Sum(1, 2))
	}
}

func TestNothing(t *testing.T) {
	if Sum() != 0 {
		t.Fail()
	}
}

func TestLater(t *testing.T) { t.Skip("later") }
`,
    },
    broken: { "sum.go": "package sum\n\nfunc Sum(all ...int) int { return len(all) - len(all) }\n" },
    counts: [3, 2, 1],
    failing: { message: /TestSum fails/, file: "sum_test.go", line: 7 },
  },
  {
    name: "Rust",
    needs: ["cargo"],
    test: "cargo test --offline --quiet 2>&1",
    files: {
      "Cargo.toml": '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\ndoctest = false\n',
      "Cargo.lock":
        '# This file is automatically @generated by Cargo.\n# It is not intended for manual editing.\nversion = 3\n\n[[package]]\nname = "sum"\nversion = "0.1.0"\n',
      ".gitignore": "target\n",
      "src/lib.rs": "pub fn sum(all: &[i32]) -> i32 {\n    all.iter().sum()\n}\n",
      "tests/sums.rs": `use sum::sum;

#[test]
fn adds() {
    assert_eq!(sum(&[1, 2]), 3);
}

#[test]
fn nothing() {
    assert_eq!(sum(&[]), 0);
}

#[test]
#[ignore]
fn later() {}
`,
    },
    broken: { "src/lib.rs": "pub fn sum(_: &[i32]) -> i32 {\n    0\n}\n" },
    counts: [3, 2, 1],
    failing: { message: /adds fails/, file: "tests/sums.rs", line: 5 },
  },
];

const isThere = (program: string): boolean =>
  spawnSync("sh", ["-c", `${program} --version || ${program} version`], { stdio: "ignore" }).status === 0;

describe("a project's own tests are counted, and what fails is named with its place", () => {
  let stage: LandingStage | undefined;
  afterEach(() => stage?.dispose());

  for (const { name, needs, test, files, broken, counts, failing } of PROJECTS)
    it.skipIf(!needs.every(isThere))(`${name}`, async () => {
      stage = await LandingStage.make("", files, test);
      // A toolchain in the user's own home is found there; the home of a test has none.
      const rustup = process.env.RUSTUP_HOME ?? join(homedir(), ".rustup");
      stage.env = { ...stage.env, ...(existsSync(rustup) && { RUSTUP_HOME: rustup }) };
      stage.branch("break", broken);
      const { verdict, gates, findings } = await stage.verify("break");
      const [tests, passed, skipped] = counts;
      expect([verdict, gates.find((gate) => gate.name === "test")?.counts]).toEqual([
        "fail",
        { tests, passed: passed - 1, failed: 1, skipped },
      ]);
      const { message, file, line } = findings[0] ?? {};
      expect([message, file, line]).toEqual([expect.stringMatching(failing.message), failing.file, failing.line]);
      // And on the base all of it passes, from what is known of it by now.
      const base = await stage.verify("main");
      expect([base.verdict, base.cached, base.gates.find((gate) => gate.name === "test")?.counts]).toEqual([
        "pass",
        true,
        { tests, passed, failed: 0, skipped },
      ]);
    });
});
