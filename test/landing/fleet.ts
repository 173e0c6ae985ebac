import type { ScriptStep } from "../../src/scripted-agent/script.ts";
import { type Files, unit } from "./ground.ts";

/** A branch of the twelve: what it adds, and what it stands on, by its commits or only because its author says so. */
export interface Member {
  readonly branch: string;
  readonly files: Files;
  readonly contains?: string;
  /** Red without it: its tests use what the other makes. */
  readonly blockedBy?: string;
}

const inOther = (name: string, other: string, code: string, is: string): Files =>
  unit(name, `import { ${other} } from "./${other}.mjs";\n${code}`, is);

/** One that is red only together with `feat/shout`, and one that conflicts with `feat/title-a`: ten of twelve can land. */
export const FLEET: readonly Member[] = [
  { branch: "feat/sum", files: unit("sum", "export const sum = (a, b) => a + b;\n", "its.sum(1, 2) === 3") },
  { branch: "feat/mul", files: unit("mul", "export const mul = (a, b) => a * b;\n", "its.mul(2, 3) === 6") },
  {
    branch: "feat/total",
    contains: "feat/sum",
    files: inOther("total", "sum", "export const total = (all) => all.reduce(sum, 0);\n", "its.total([1, 2, 3]) === 6"),
  },
  {
    branch: "feat/power",
    contains: "feat/mul",
    files: inOther(
      "power",
      "mul",
      "export const power = (a, n) => n ? mul(a, power(a, n - 1)) : 1;\n",
      "its.power(2, 5) === 32",
    ),
  },
  {
    branch: "feat/mean",
    blockedBy: "feat/total",
    files: inOther(
      "mean",
      "total",
      "export const mean = (all) => total(all) / all.length;\n",
      "its.mean([1, 3]) === 2",
    ),
  },
  { branch: "feat/title-a", files: { "src/title.mjs": 'export const title = "By A";\n' } },
  { branch: "feat/title-b", files: { "src/title.mjs": 'export const title = "By B";\n' } },
  // It changes what format takes, with its own test; whoever calls it in the old way does not know.
  {
    branch: "feat/shout",
    files: unit(
      "format",
      'export const format = ({ text }) => "<" + text + ">";\n',
      'its.format({ text: "a" }) === "<a>"',
    ),
  },
  {
    branch: "feat/caller",
    files: inOther("caller", "format", "export const call = () => format(1);\n", 'its.call() === "<1>"'),
  },
  { branch: "feat/greet", files: unit("greet", 'export const greet = () => "hello";\n', "its.greet().length === 5") },
  { branch: "feat/docs", files: { "docs/guide.md": "# Guide\n" } },
  { branch: "feat/size", files: unit("size", "export const size = (all) => all.length;\n", "its.size([1]) === 1") },
];

export const FLEET_NAMES = FLEET.map(({ branch }) => branch);
export const BOUNCED = ["feat/title-b", "feat/caller"];
export const LANDED = FLEET_NAMES.filter((branch) => !BOUNCED.includes(branch));

export const agentOf = (branch: string): string => branch.replace("/", "-");

/** What a scripted agent does to make its branch: whoever contains another's work waits until that is there. */
export function scriptOf({ branch, files, contains, blockedBy }: Member): ScriptStep[] {
  const writes = Object.entries(files).map(([path, text]): ScriptStep => ({ do: "write", path, text }));
  const onTop = contains === undefined ? [] : takeOver(contains);
  const blocked: ScriptStep[] =
    blockedBy === undefined ? [] : [{ do: "blocked", needs: "what it is built on", from: agentOf(blockedBy) }];
  const commit: ScriptStep[] = [
    { do: "run", argv: ["git", "add", "--all"] },
    { do: "commit", message: branch },
  ];
  return [...onTop, ...blocked, ...writes, ...commit];
}

const takeOver = (other: string): ScriptStep[] => [
  { do: "run", argv: ["sh", "-c", `until git log -1 --format=%s ${other} | grep -qx ${other}; do sleep 0.1; done`] },
  { do: "run", argv: ["git", "reset", "-q", "--hard", other] },
];
