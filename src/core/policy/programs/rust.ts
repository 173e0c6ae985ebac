import { ask, askUnlessSandboxed, deny, type Judgement } from "../decision.ts";
import type { Entry, Programs } from "./entry.ts";

const fetches = askUnlessSandboxed("rust.install", "It fetches packages, and their build scripts run.");
const publishes = deny("network.publish", "It publishes a package, or changes who may.");
const config = deny("rust.config", "It changes settings of cargo, which can run programs.");

const PICKS =
  "-p= -j= -q -v -F= --package= --workspace --all --exclude= --lib --bins --bin= --tests --test= --examples --example= --benches --bench= --all-targets --release --profile= --features= --all-features --no-default-features --target= --jobs= --keep-going --verbose --quiet --locked --offline --frozen --message-format= --color= --manifest-path< --target-dir> --future-incompat-report";
const refused = {
  "--config": config,
  "-Z": ask("rust.unstable", "It switches unstable parts of cargo on."),
  "-C": ask("rust.folder", "It makes cargo run in another folder."),
};

const builds = (name: string, options = "", more: Partial<Entry> = {}): Entry => ({
  rule: `cargo.${name}`,
  does: "test",
  why: "It builds, tests or checks the project.",
  options: `${PICKS} ${options}`,
  refused,
  operands: ["passed"],
  passes: true,
  ...more,
});
const shows = (name: string, options: string): Entry => ({
  ...builds(name, options),
  does: "read",
  why: "It only shows what the project is made of.",
});
const publish = (): Judgement => publishes;

export const RUST: Programs = {
  cargo: {
    stack: "rust",
    commands: {
      test: builds("test", "--no-run --no-fail-fast --doc"),
      t: builds("test", "--no-run --no-fail-fast --doc"),
      nextest: {
        commands: {
          run: builds("nextest", "--no-fail-fast --no-capture -E= --retries= --test-threads= --partition="),
          list: shows("nextest", ""),
        },
        other: ask("cargo.nextest.other", "It is another command of nextest."),
      },
      build: builds("build", "--timings?"),
      b: builds("build", "--timings?"),
      check: builds("check"),
      c: builds("check"),
      clippy: builds("clippy", "--no-deps --fix --allow-dirty --allow-staged"),
      fmt: builds("fmt", "--check"),
      doc: builds("doc", "--no-deps --document-private-items"),
      bench: builds("bench", "--no-run"),
      tree: shows("tree", "-i= -e= -d --depth= --duplicates --invert= --edges= --prefix= --no-dedupe"),
      metadata: shows("metadata", "--format-version= --no-deps"),
      version: shows("version", ""),
      "--version": shows("version", ""),
      pkgid: shows("pkgid", ""),
      run: askUnlessSandboxed("cargo.run", "It runs the program that the agent works on."),
      r: askUnlessSandboxed("cargo.run", "It runs the program that the agent works on."),
      ...Object.fromEntries(
        "add remove update install fetch generate-lockfile vendor".split(" ").map((word) => [word, fetches]),
      ),
      ...Object.fromEntries("publish login logout owner yank".split(" ").map((word) => [word, publish()])),
    },
    options: "-q -v --quiet --verbose --locked --offline --frozen --color= --version -V",
    refused,
    alone: { rule: "cargo.version", does: "read", why: "It prints its version.", options: "--version -V" },
    other: ask("cargo.other", "It is a command of cargo that banksman does not know to be routine."),
  },
  rustfmt: {
    ...builds("rustfmt"),
    options: "--check --edition= -q -v --color= --emit=",
    operands: ["write"],
    stack: "rust",
  },
  rustc: {
    rule: "rustc.version",
    does: "read",
    why: "It prints its version.",
    options: "--version -V -vV",
    stack: "rust",
  },
  rustup: ask("rustup", "It changes which compiler is used."),
};
