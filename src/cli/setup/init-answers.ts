import { Failed } from "../../core/failure/failed.ts";
import { GATES, type Gate, gateKey } from "../../core/gates/gates.ts";
import { type Guesses, guessGates, MANIFESTS } from "../../core/gates/guess-gates.ts";
import { SPEC_TYPES, type SpecType } from "../../core/specs/spec.ts";
import { nearest } from "../../core/text/nearest.ts";
import type { Files } from "../../ports/files.ts";
import { findSpecSystems } from "../../specs/load.ts";
import type { Input, Io } from "../command.ts";
import type { Choice } from "../session/pickers.ts";

export const gateFlag = (gate: Gate): string => `${gate.replace("_", "-")}-command`;

export interface InitAnswers {
  /** What goes into the config. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Those of them that were said on the command line: they win over what the file has. */
  readonly said: ReadonlySet<string>;
  /** What was found, and taken without asking. */
  readonly notes: readonly string[];
}

export interface InitPlace {
  readonly files: Files;
  readonly root: string;
  /** The coding CLIs that are installed, for the default one to be chosen from. */
  readonly clis: () => Promise<readonly Choice[]>;
}

/** What each of them is the answer to. */
export const GATE_QUESTIONS: Readonly<Record<Gate, string>> = {
  test: "How the tests are run",
  lint: "How it is linted",
  build: "How it is built",
  fmt_check: "How the formatting is checked",
  doc_build: "How the documentation is built",
  spec_validate: "How specs are validated",
  security_audit: "How security is audited",
};

const NONE = "none";

/**
 * The default CLI, the kind of specs and the commands of gates: as the command line says, else as a person answers with what was found
 * as a proposal, else what was found. What `settled` knows already is not asked about.
 */
export async function initAnswers(
  { options }: Input,
  { files, root, clis }: InitPlace,
  settled: (key: string) => boolean,
  io: Io,
): Promise<InitAnswers> {
  const values = new Map<string, unknown>();
  const said = new Set<string>();
  const notes: string[] = [];
  const asks = io.interactive && !options.yes;
  const take = (key: string, value: string, from: string | null) => {
    if (from === null) said.add(key);
    else if (!asks) notes.push(`${key} = ${JSON.stringify(value)} (${from})`);
    values.set(key, value);
  };

  if (asks && !settled("default_cli")) {
    const cli = await askCli(await clis());
    if (cli !== NONE) take("default_cli", cli, "");
  }

  const system = readSystem(options.specSystem);
  const found = await findSpecSystems(files, root);
  if (system !== null) {
    if (system !== NONE) take("specs.type", system, null);
  } else if (!settled("specs.type")) {
    const [only] = found;
    if (asks) {
      const chosen = await askSystem(found);
      if (chosen !== NONE) take("specs.type", chosen, "");
    } else if (found.length === 1 && only !== undefined) take("specs.type", only, "the only kind of specs here");
    else if (found.length > 1)
      notes.push(`There are several kinds of specs (${found.join(", ")}): choose one with --spec-system.`);
  }

  const guesses = guessGates(await readManifests(files, root));
  for (const gate of GATES) {
    const key = gateKey(gate);
    const option = options[camelCase(gateFlag(gate))];
    const guess = guesses.get(gate);
    if (typeof option === "string") take(key, option, null);
    else if (settled(key)) continue;
    else if (asks) {
      const command = await askGate(gate, guesses);
      if (command !== "") take(key, command, "");
    } else if (guess !== undefined) take(key, guess.command, `from ${guess.from}`);
  }
  return { values, said, notes };
}

function readSystem(option: unknown): SpecType | typeof NONE | null {
  if (typeof option !== "string") return null;
  const known = [...SPEC_TYPES, NONE] as const;
  const found = known.find((each) => each === option);
  if (found !== undefined) return found;
  const near = nearest(option, known);
  const hint = near === null ? `It is one of ${known.join(", ")}.` : `Did you mean ${near}?`;
  throw new Failed({ kind: "usage", message: `There is no spec system ${JSON.stringify(option)}.`, hint });
}

/** Nothing to choose between is not asked about: the scripted agent alone is no choice. */
async function askCli(clis: readonly Choice[]): Promise<string> {
  if (clis.every(({ value }) => value === "scripted")) return NONE;
  const { pickOne } = await import("../session/pickers.ts");
  const none = { value: NONE, label: NONE, hint: "`start` asks, or takes --cli" };
  return pickOne("Which CLI do agents use, unless you say another?", [...clis, none]);
}

async function askSystem(found: readonly SpecType[]): Promise<string> {
  const { pickOne } = await import("../session/pickers.ts");
  const choices = SPEC_TYPES.map((type) => ({
    value: type as string,
    label: type as string,
    ...(found.includes(type) && { hint: "found here" }),
  }));
  return pickOne("Which spec system?", [...choices, { value: NONE, label: NONE }], found[0] ?? NONE);
}

/** Asked about where something points to it, or nearly every project has it. */
const ALWAYS: ReadonlySet<Gate> = new Set(["test", "lint"]);

async function askGate(gate: Gate, guesses: Guesses): Promise<string> {
  const guess = guesses.get(gate);
  if (guess === undefined && !ALWAYS.has(gate)) return "";
  const { typeText } = await import("../session/pickers.ts");
  return typeText(`${GATE_QUESTIONS[gate]} (empty: none)`, guess?.command ?? "");
}

/** What is not there, or may not be read, is nothing to guess from. */
async function readManifests(files: Files, root: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const name of MANIFESTS) {
    const text = await files.readInside(root, name).catch(() => null);
    if (text !== null) texts.set(name, text);
  }
  return texts;
}

const camelCase = (flag: string): string => flag.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
