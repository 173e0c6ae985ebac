import { describe, expect, it } from "vitest";
import { changedParts, inputsAmong } from "./gate-inputs.ts";
import { GATE_INPUTS } from "./gate-plan.ts";

describe("files that decide what gates run", () => {
  it.each([
    "package.json",
    "packages/a/package.json",
    "Makefile",
    "vitest.config.ts",
    "packages/a/jest.config.js",
    ".github/workflows/ci.yml",
    ".mocharc.json",
    "conftest.py",
    "tests/conftest.py",
    "tox.ini",
    "tsconfig.json",
    ".banksman/config.toml",
    ".husky/pre-commit",
    "build.rs",
    ".cargo/config.toml",
    "eslint.config.js",
    "GNUmakefile",
    "makefile",
    "rules/test.mk",
    "Justfile",
    ".pytest.ini",
    "tests/pytest.ini",
    "pytest.py",
    "pytest/__main__.py",
    "crates/a/Cargo.toml",
    "crates/a/build.rs",
    "crates/a/.cargo/config.toml",
    "vite.config.ts",
    "packages/a/vite.config.ts",
    "vitest.workspace.ts",
    "bunfig.toml",
    ".env",
    "node_modules/.bin/vitest",
    "packages/a/node_modules/jest/index.js",
    "packages/a/.npmrc",
    ".yarnrc.yml",
    ".yarn/releases/yarn-4.cjs",
  ])("%s", (path) => expect(inputsAmong([path], GATE_INPUTS)).toEqual([path]));
  it.each(["src/a.ts", "README.md", "test/a.test.ts", "docs/Makefile.md", "src/package.json.ts", "src/black.py"])(
    "not %s",
    (path) => expect(inputsAmong([path], GATE_INPUTS)).toEqual([]),
  );
});

const pkg = (value: object) => JSON.stringify(value);

describe("what of them is not as it was", () => {
  it.each<readonly [string, string, string | null, string | null, string[]]>([
    [
      "a test that does nothing",
      "package.json",
      pkg({ scripts: { test: "vitest" } }),
      pkg({ scripts: { test: "true" } }),
      ["scripts.test"],
    ],
    ["a script that is gone", "package.json", pkg({ scripts: { lint: "x" } }), pkg({}), ["scripts.lint"]],
    ["a new script", "package.json", pkg({ scripts: { test: "x" } }), pkg({ scripts: { test: "x", dev: "y" } }), []],
    [
      "a script before the tests",
      "package.json",
      pkg({ scripts: { test: "x" } }),
      pkg({ scripts: { test: "x", pretest: "rm -rf test" } }),
      ["scripts.pretest"],
    ],
    ["dependencies", "package.json", pkg({ dependencies: { a: "1" } }), pkg({ dependencies: { a: "2" } }), []],
    [
      "jest's own settings",
      "package.json",
      pkg({ jest: {} }),
      pkg({ jest: { testPathIgnorePatterns: ["."] } }),
      ["jest.testPathIgnorePatterns"],
    ],
    ["a new package", "packages/b/package.json", null, pkg({ name: "b", version: "1" }), []],
    ["what cannot be read", "package.json", pkg({}), "{", ["package.json"]],
    ["a deleted package.json", "package.json", pkg({ scripts: { test: "x" } }), null, ["scripts.test"]],
    ["any other file", "Makefile", "test:\n", "test:\n\ttrue\n", ["Makefile"]],
    [
      "a dependency in Cargo.toml",
      "Cargo.toml",
      "[package]\nname='a'\n[dependencies]\na='1'\n",
      "[package]\nname='a'\n[dependencies]\na='2'\n",
      [],
    ],
    [
      "a test target in Cargo.toml",
      "Cargo.toml",
      "[package]\n",
      "[package]\n[[test]]\nname='x'\ntest=false\n",
      ["[[test]]"],
    ],
    [
      "pytest's settings",
      "pyproject.toml",
      "[project]\nname='a'\n",
      "[project]\nname='a'\n[tool.pytest.ini_options]\naddopts='-k nothing'\n",
      ["[tool.pytest.ini_options]"],
    ],
    [
      "a script that npm runs by itself",
      "package.json",
      pkg({}),
      pkg({ scripts: { install: "x" } }),
      ["scripts.install"],
    ],
    [
      "a dependency that is another one",
      "package.json",
      pkg({ devDependencies: { vitest: "^4.1.0", a: "1" } }),
      pkg({ devDependencies: { vitest: "npm:nothing@1", a: "2", b: "file:./b", c: "workspace:*" } }),
      ["devDependencies.vitest", "devDependencies.b"],
    ],
    ["what replaces dependencies", "package.json", pkg({}), pkg({ overrides: { vitest: "0" } }), ["overrides.vitest"]],
    [
      "an indented section",
      "pyproject.toml",
      "[project]\nname='a'\n",
      "[project]\nname='a'\n  [tool.pytest.ini_options]\n  addopts='-k nothing'\n",
      ["[tool.pytest.ini_options]"],
    ],
    [
      "a plugin of pytest",
      "pyproject.toml",
      "[project]\n",
      "[project]\n[project.entry-points.pytest11]\nx='y'\n",
      ["[project.entry-points.pytest11]"],
    ],
    ["a key before all sections", "pyproject.toml", "", "tool.pytest.ini_options.addopts='-k x'\n", ["pyproject.toml"]],
    [
      "which tests cargo finds",
      "Cargo.toml",
      "[package]\nname='a'\nversion='1'\n",
      "[package]\nname='a'\nversion='2'\nautotests = false\n",
      ["[package]"],
    ],
    ["nothing", "Makefile", "x", "x", []],
  ])("%s", (_, path, before, after, expected) => expect(changedParts(path, before, after)).toEqual(expected));
});
