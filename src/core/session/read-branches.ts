import type { Failure } from "../failure/failure.ts";
import { nearest } from "../text/nearest.ts";

/** Branches, and the CLI of those that name one. */
export interface NamedBranches {
  readonly branches: readonly string[];
  readonly clis: Readonly<Record<string, string>>;
}

/**
 * Reads `feat/a=claude`: a branch with its own CLI. Branch names may hold `=`, so only a known CLI counts behind it; what
 * is nearly the name of one is taken for a slip, and not for a branch.
 */
export function readBranches(names: readonly string[], clis: readonly string[]): NamedBranches | Failure {
  const named: Named[] = [];
  for (const name of names) {
    const read = readOne(name, clis);
    if ("kind" in read) return read;
    named.push(read);
  }
  return {
    branches: [...new Set(named.map(({ branch }) => branch))],
    clis: Object.fromEntries(named.flatMap(({ branch, cli }) => (cli === null ? [] : [[branch, cli]]))),
  };
}

interface Named {
  readonly branch: string;
  readonly cli: string | null;
}

function readOne(name: string, clis: readonly string[]): Named | Failure {
  const at = name.lastIndexOf("=");
  const cli = name.slice(at + 1);
  if (at <= 0 || cli === "") return { branch: name, cli: null };
  if (clis.includes(cli)) return { branch: name.slice(0, at), cli };
  const near = nearest(cli, clis);
  return near === null ? { branch: name, cli: null } : { kind: "cli.unknown", cli, known: clis, near };
}
