import { GATES, type Gate } from "./gates.ts";

/** Files that say how a project is checked; of lock files only whether they are there. */
export const MANIFESTS = [
  "package.json",
  "Makefile",
  "Cargo.toml",
  "pyproject.toml",
  "go.mod",
  "pnpm-lock.yaml",
  "yarn.lock",
  "bun.lock",
  "bun.lockb",
  "uv.lock",
  "poetry.lock",
] as const;

export interface Guess {
  readonly command: string;
  /** The file that says so. */
  readonly from: string;
}

export type Guesses = ReadonlyMap<Gate, Guess>;

/**
 * What a project probably runs to check itself, from the files at its root. What somebody has written down (scripts,
 * targets) comes before what is usual for the language; where nothing points to a command, there is none.
 */
export function guessGates(files: ReadonlyMap<string, string>): Guesses {
  const guesses = new Map<Gate, Guess>();
  for (const [from, guess] of SOURCES) {
    const text = files.get(from);
    if (text === undefined) continue;
    for (const [gate, command] of Object.entries(guess(text, files)) as [Gate, string | undefined][])
      if (command !== undefined && !guesses.has(gate)) guesses.set(gate, { command, from });
  }
  return guesses;
}

type Found = Partial<Record<Gate, string>>;
type Source = (text: string, files: ReadonlyMap<string, string>) => Found;

/** Names people give to scripts and targets, the likeliest first. */
const NAMES: Readonly<Record<Gate, readonly string[]>> = {
  test: ["test"],
  lint: ["lint"],
  build: ["build"],
  fmt_check: [
    "fmt-check",
    "fmt:check",
    "format:check",
    "format-check",
    "check:format",
    "check-format",
    "prettier:check",
  ],
  doc_build: ["docs:build", "build:docs", "doc-build", "docs-build"],
  spec_validate: ["spec:validate", "validate:specs", "spec-validate", "validate-specs"],
  security_audit: ["security-audit", "security:audit", "audit", "security"],
};

function named(known: ReadonlySet<string>, run: (name: string) => string): Found {
  const entries = GATES.map((gate) => [gate, NAMES[gate].find((name) => known.has(name))] as const);
  return Object.fromEntries(entries.flatMap(([gate, name]) => (name === undefined ? [] : [[gate, run(name)]])));
}

const packageJson: Source = (text, files) => {
  const scripts = Object.entries(scriptsOf(text));
  // npm init writes a test that only says that there is none.
  const real = scripts.filter(([, line]) => typeof line === "string" && !/no test specified/.test(line));
  const program = packageManager(files);
  return named(new Set(real.map(([name]) => name)), (name) =>
    name === "test" && program !== "bun" ? `${program} test` : `${program} run ${name}`,
  );
};

/** Of a package.json; none where it cannot be read. */
export function scriptsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const { scripts } = JSON.parse(text) as { scripts?: unknown };
    return typeof scripts === "object" && scripts !== null ? { ...scripts } : {};
  } catch {
    return {};
  }
}

function packageManager(files: ReadonlyMap<string, string>): string {
  if (files.has("pnpm-lock.yaml")) return "pnpm";
  if (files.has("yarn.lock")) return "yarn";
  return files.has("bun.lock") || files.has("bun.lockb") ? "bun" : "npm";
}

const makefile: Source = (text) =>
  named(new Set([...text.matchAll(/^([\w.-]+)\s*:(?!=)/gm)].map(([, name = ""]) => name)), (name) => `make ${name}`);

const cargo: Source = (text) => {
  const all = /^\[workspace\]/m.test(text) ? " --workspace" : "";
  return {
    test: `cargo test${all}`,
    lint: `cargo clippy${all} --all-targets -- -D warnings`,
    build: `cargo build${all}`,
    fmt_check: "cargo fmt --check",
    doc_build: `cargo doc${all} --no-deps`,
  };
};

const pyproject: Source = (text, files) => {
  const run = files.has("uv.lock") ? "uv run " : files.has("poetry.lock") ? "poetry run " : "";
  return {
    ...(/\bpytest\b/.test(text) && { test: `${run}pytest` }),
    ...(/\bruff\b/.test(text) && { lint: `${run}ruff check .` }),
    ...(/^\[tool\.black\b/m.test(text)
      ? { fmt_check: `${run}black --check .` }
      : /\bruff\b/.test(text) && { fmt_check: `${run}ruff format --check .` }),
  };
};

const go: Source = () => ({
  test: "go test ./...",
  lint: "go vet ./...",
  build: "go build ./...",
  fmt_check: 'test -z "$(gofmt -l .)"',
});

const SOURCES: readonly (readonly [file: (typeof MANIFESTS)[number], guess: Source])[] = [
  ["package.json", packageJson],
  ["Makefile", makefile],
  ["Cargo.toml", cargo],
  ["pyproject.toml", pyproject],
  ["go.mod", go],
];
