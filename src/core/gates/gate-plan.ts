import { compileGlob } from "../claims/glob.ts";
import { fnv1a64 } from "../text/hash.ts";
import type { Gate } from "./gates.ts";

/** What is run on a tree, as the base commit's config says. Recorded with the check, so that a restart runs the same. */
export interface GatePlan {
  /** Those that have a command, in the order they are run in. */
  readonly commands: readonly GateCommand[];
  /** `gates = "none"`: somebody has said that nothing is to be checked. */
  readonly none: boolean;
  readonly timeoutSeconds: number;
  /** Names of the user's environment that gates get besides the usual ones. */
  readonly env: readonly string[];
  /** Gates that run while no other gate does. */
  readonly exclusive: readonly Gate[];
  /** Files that decide what gates run; a branch that touches one cannot land by itself. */
  readonly inputs: readonly string[];
  /** Globs by gate: a branch that touches nothing else does not need that gate. */
  readonly paths: Readonly<Partial<Record<Gate, readonly string[]>>>;
  /** The command that makes a checkout ready; null for none. */
  readonly setUp: string | null;
  /** Commands by glob: they make files again that are generated. Plans that were recorded earlier have none. */
  readonly regenerate?: Readonly<Record<string, string>>;
  readonly review: ReviewPlan;
}

/** What a branch is held against besides its gates. */
export interface ReviewPlan {
  /** Documents of the base, files or folders. */
  readonly documents: readonly string[];
  /** Somebody has to review it: a reviewer, or a person. */
  readonly required: boolean;
  /** Whether a reviewer is configured. */
  readonly reviewer: boolean;
}

export const NO_REVIEW: ReviewPlan = { documents: [], required: false, reviewer: false };

export const needsReview = ({ review }: Pick<GatePlan, "review">): boolean =>
  review.documents.length > 0 || review.required || review.reviewer;

export interface GateCommand {
  readonly gate: Gate;
  readonly command: string;
}

/** Files that decide what is run, where nothing else is said. Of package.json and its like only a part counts: see inputs.ts. */
export const GATE_INPUTS: readonly string[] = [
  "**/package.json",
  // make takes the first that is there, in this order.
  "**/{GNUmakefile,makefile,Makefile}",
  "**/*.mk",
  "{justfile,Justfile,.justfile}",
  "{Taskfile,taskfile}{,.dist}.{yml,yaml}",
  "Rakefile",
  "noxfile.py",
  "**/{tox.ini,setup.cfg,pytest.ini,.pytest.ini,pytest.toml,.pytest.toml}",
  "**/{pyproject.toml,conftest.py}",
  // `python -m` looks into the folder first.
  "{pytest,_pytest,unittest,coverage,tox,nox,mypy,ruff,black,flake8,pylint}.py",
  "{pytest,_pytest,unittest,coverage,tox,nox,mypy,ruff,black,flake8,pylint}/**",
  "**/{Cargo.toml,build.rs}",
  "**/.cargo/**",
  ".config/nextest.toml",
  "**/{vite,vitest,jest,playwright,cypress,karma,ava,babel,jasmine}.config.*",
  "**/vitest.workspace.*",
  "**/{.mocharc,.taprc,.nycrc,.c8rc,.babelrc,.swcrc}*",
  "**/{bunfig.toml,deno.json,deno.jsonc}",
  "{nx,turbo,lerna}.json",
  "{phpunit,phpunit.dist}.xml",
  "phpunit.xml.dist",
  "{.rspec,.rspec-local}",
  // Programs that package managers and runners find here come before the user's own.
  "**/node_modules/**",
  ".github/workflows/**",
  ".gitlab-ci.yml",
  ".circleci/**",
  ".husky/**",
  "**/{.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs,.pnpmfile.mjs}",
  ".yarn/{releases,plugins}/**",
  "**/{.env,.env.test,.env.local,.env.test.local}",
  ".banksman/**",
  "{biome,tslint}.json",
  ".eslintrc*",
  "eslint.config.*",
  "tsconfig*.json",
];

/** Stands for everything that decides what running the gates on a tree comes to. */
export function planHash(plan: GatePlan, env: Readonly<Record<string, string>>, tools: readonly string[]): string {
  const { commands, timeoutSeconds, setUp } = plan;
  const values = plan.env.map((name) => [name, env[name] ?? null]);
  return fnv1a64(JSON.stringify([commands, timeoutSeconds, setUp, values, tools]));
}

/** The command that makes this file again; null where there is none. */
export function regeneratorOf({ regenerate = {} }: Pick<GatePlan, "regenerate">, path: string): string | null {
  return Object.entries(regenerate).find(([glob]) => compileGlob(glob).matches(path))?.[1] ?? null;
}

/** The gates a branch needs that touches these files; the others are skipped, visibly. */
export function neededGates({ commands, paths }: GatePlan, changed: readonly string[]): Gate[] {
  const isExempt = ({ gate }: GateCommand) => {
    const globs = (paths[gate] ?? []).map(compileGlob);
    return changed.length > 0 && globs.length > 0 && changed.every((path) => globs.some((glob) => glob.matches(path)));
  };
  return commands.filter((command) => !isExempt(command)).map(({ gate }) => gate);
}
