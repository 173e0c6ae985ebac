import { counted } from "../text/counted.ts";
import { printable } from "../text/printable.ts";
import { LEADS_OUT, UNREADABLE, whyRefused } from "../worktrees/set-up-files.ts";

/** What trust would cover, as it is now and as it was when the user last looked. */
export interface TrustReview {
  /** Guarded settings of the repository's config that widen. */
  readonly keys: Compared;
  /** The command that set-up runs by a lock file, and the files it obeys; null where none runs. */
  readonly setUp: { readonly command: string; readonly files: Compared } | null;
  /** Where submodules come from. */
  readonly submodules: Compared;
  /** Programs of the repository's own git config. */
  readonly programs: Compared;
  /** What small files say, by name. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface Compared {
  readonly now: Readonly<Record<string, unknown>>;
  /** Null where nothing was trusted before. */
  readonly before: Readonly<Record<string, unknown>> | null;
}

/** The review as lines for a person: every item, marked where it is not what it was. */
export function renderReview(review: TrustReview): string[] {
  const { keys, setUp, submodules, programs, texts } = review;
  const valued = (compared: Compared) => (name: string, value: unknown) => [
    `  ${name} = ${shown(value)}${markOf(compared, name, true)}`,
  ];
  const filed = (compared: Compared) => (name: string, value: unknown) => [
    `  ${printable(name)}${refusedMark(value) ?? markOf(compared, name, false)}`,
    ...quoted(texts[name]),
  ];
  return [
    ...section("Settings of .banksman/config.toml:", keys, valued(keys)),
    ...(setUp === null
      ? []
      : section(`\`${setUp.command}\` sets worktrees up. It obeys:`, setUp.files, filed(setUp.files))),
    ...section("Submodules come from where this file says:", submodules, filed(submodules)),
    ...section("Programs in this repository's own git config, which decide over content:", programs, valued(programs)),
  ];
}

function section(title: string, compared: Compared, lines: (name: string, value: unknown) => string[]): string[] {
  const items = Object.entries(compared.now).flatMap(([name, value]) => lines(name, value));
  const gone = Object.keys(compared.before ?? {}).filter((name) => !Object.hasOwn(compared.now, name));
  const left = gone.map((name) => `  ${printable(name)}  (no longer there)`);
  return items.length === 0 ? [] : [title, ...items, ...left];
}

/** Whoever says yes to all of it has not said yes to this. */
const refusedMark = (value: unknown): string | null =>
  value === UNREADABLE || value === LEADS_OUT ? `  (stays untrusted: it ${whyRefused(value)})` : null;

/** Nothing where all of it is new: then there is nothing to compare with. */
function markOf({ now, before }: Compared, name: string, values: boolean): string {
  if (before === null) return "";
  if (!Object.hasOwn(before, name)) return "  (new)";
  if (JSON.stringify(before[name]) === JSON.stringify(now[name])) return "";
  return values ? `  (changed; was ${shown(before[name])})` : "  (changed)";
}

const shown = (value: unknown): string => printable(JSON.stringify(value) ?? "");

const MOST_LINES = 40;
const LONGEST_LINE = 200;
const SECRET = /((?:_auth\w*|token|password|secret)\s*[=:]\s*)\S.*/i;

/** Passwords in it are not shown: somebody may be looking on. */
function quoted(text: string | undefined): string[] {
  const lines = (text ?? "").split("\n").filter((line) => line.trim() !== "");
  const kept = lines
    .slice(0, MOST_LINES)
    .map((line) => `      ${printable(line.slice(0, LONGEST_LINE).replace(SECRET, "$1…"))}`);
  return lines.length > MOST_LINES ? [...kept, `      … ${counted(lines.length - MOST_LINES, "more line")}`] : kept;
}
