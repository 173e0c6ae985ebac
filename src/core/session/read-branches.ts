/** Branches, and the CLI of those that name one. */
export interface NamedBranches {
  readonly branches: readonly string[];
  readonly clis: Readonly<Record<string, string>>;
}

/** Reads `feat/a=claude`: a branch with its own CLI. Branch names may hold `=`, so only a known CLI counts behind it. */
export function readBranches(names: readonly string[], clis: readonly string[]): NamedBranches {
  const read = names.map((name) => {
    const at = name.lastIndexOf("=");
    const cli = name.slice(at + 1);
    return at > 0 && clis.includes(cli) ? { branch: name.slice(0, at), cli } : { branch: name, cli: null };
  });
  return {
    branches: [...new Set(read.map(({ branch }) => branch))],
    clis: Object.fromEntries(read.flatMap(({ branch, cli }) => (cli === null ? [] : [[branch, cli]]))),
  };
}
