import { describe, expect, it } from "vitest";
import { guessGates } from "./guess-gates.ts";

const guess = (files: Record<string, string>) =>
  Object.fromEntries([...guessGates(new Map(Object.entries(files)))].map(([gate, { command }]) => [gate, command]));
const scripts = (names: Record<string, unknown>) => ({ "package.json": JSON.stringify({ scripts: names }) });

describe("a project's gates are guessed", () => {
  it("from the scripts of package.json, run by whoever its lock file names", () => {
    const mine = scripts({ test: "vitest", lint: "biome check", "format:check": "biome format", start: "node ." });
    expect(guess(mine)).toEqual({ test: "npm test", lint: "npm run lint", fmt_check: "npm run format:check" });
    expect(guess({ ...mine, "pnpm-lock.yaml": "" })).toMatchObject({ test: "pnpm test", lint: "pnpm run lint" });
    expect(guess({ ...mine, "yarn.lock": "" })).toMatchObject({ test: "yarn test" });
    expect(guess({ ...mine, "bun.lock": "" })).toMatchObject({ test: "bun run test" });
  });
  it("but not from the test that npm init writes, nor from what is not JSON or not a script", () => {
    expect(guess(scripts({ test: 'echo "Error: no test specified" && exit 1' }))).toEqual({});
    for (const text of ["", "{", "null", "[]", '{"scripts":3}', '{"scripts":{"test":{}}}'])
      expect(guess({ "package.json": text })).toEqual({});
  });
  it("from the targets of a Makefile", () => {
    const text = "TEST := x\ntest: build\n\tgo test\nbuild:\n\tgo build\n.PHONY: lint\naudit :\n";
    expect(guess({ Makefile: text })).toEqual({ test: "make test", build: "make build", security_audit: "make audit" });
  });
  it("from what is usual in Rust, with all crates of a workspace", () => {
    expect(guess({ "Cargo.toml": "[package]\n" })).toEqual({
      test: "cargo test",
      lint: "cargo clippy --all-targets -- -D warnings",
      build: "cargo build",
      fmt_check: "cargo fmt --check",
      doc_build: "cargo doc --no-deps",
    });
    expect(guess({ "Cargo.toml": "[workspace]\n" })).toMatchObject({ test: "cargo test --workspace" });
  });
  it("from what a pyproject.toml names", () => {
    expect(guess({ "pyproject.toml": "[project]\n" })).toEqual({});
    expect(guess({ "pyproject.toml": "[tool.pytest.ini_options]\n[tool.ruff]\n", "uv.lock": "" })).toEqual({
      test: "uv run pytest",
      lint: "uv run ruff check .",
      fmt_check: "uv run ruff format --check .",
    });
    expect(guess({ "pyproject.toml": "[tool.black]\n", "poetry.lock": "" })).toEqual({
      fmt_check: "poetry run black --check .",
    });
  });
  it("from what is usual in Go", () => {
    expect(guess({ "go.mod": "module x\n" })).toMatchObject({ test: "go test ./...", lint: "go vet ./..." });
  });
  it("with what somebody wrote down before what is usual", () => {
    const files = { ...scripts({ lint: "eslint" }), Makefile: "test:\n\t./t\nlint:\n\t./l\n", "go.mod": "module x\n" };
    expect(guess(files)).toEqual({
      lint: "npm run lint",
      test: "make test",
      build: "go build ./...",
      fmt_check: 'test -z "$(gofmt -l .)"',
    });
  });
});
