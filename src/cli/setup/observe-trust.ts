import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Config } from "../../config/load.ts";
import type { TrustReview } from "../../core/session/review-trust.ts";
import { mayNameFiles } from "../../core/worktrees/named-files.ts";
import { isTrusted, type ObeyedFiles, SUBMODULES_FILE } from "../../core/worktrees/set-up-files.ts";
import { observeObeyed } from "../../engine/agents/observe-obeyed.ts";
import type { Files } from "../../ports/files.ts";
import type { ContentProgram } from "../../ports/git.ts";

export interface ObservedTrust {
  readonly review: TrustReview;
  /** Whether there is anything that has to be trusted at all. */
  readonly any: boolean;
  readonly trusted: boolean;
  /** What is to be written down. */
  readonly keys: Readonly<Record<string, unknown>>;
  readonly programs: Readonly<Record<string, string>>;
  readonly files: readonly ObeyedFiles[];
}

/** Everything in a checkout that would run or loosen something, beside what its user has trusted. */
export async function observeTrust(
  files: Files,
  config: Config,
  checkout: string,
  found: readonly ContentProgram[],
): Promise<ObservedTrust> {
  const { widening, trust, settings } = config;
  const { command, obeys = [], trusted } = settings.setUp;
  const obeyed = trusted === null ? {} : await observeObeyed(files, checkout, obeys);
  const submodules = trusted === null ? {} : await observeObeyed(files, checkout, [SUBMODULES_FILE]);
  const keys = Object.fromEntries(widening);
  const programs = Object.fromEntries(found.map(({ key, value }) => [key, value]));
  const knownFiles = Object.assign({}, ...[...trust.files].reverse()) as ObeyedFiles;
  const before = (known: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>) =>
    trust.at === null || Object.keys(now).length === 0 ? null : known;
  const only = (known: ObeyedFiles, isOne: (name: string) => boolean): ObeyedFiles =>
    Object.fromEntries(Object.entries(known).filter(([name]) => isOne(name)));
  const seen = (now: ObeyedFiles) => {
    const known = only(knownFiles, (name) => Object.hasOwn(now, name));
    return before(known, now);
  };
  const everything = [keys, obeyed, submodules, programs];
  return {
    review: {
      keys: { now: keys, before: before(trust.keys, keys) },
      setUp: command === null || obeys.length === 0 ? null : { command, files: { now: obeyed, before: seen(obeyed) } },
      submodules: { now: submodules, before: seen(submodules) },
      programs: { now: programs, before: before(trust.programs, programs) },
      texts: await smallTexts(files, checkout, [...Object.keys(obeyed), ...Object.keys(submodules)]),
    },
    any: everything.some((each) => Object.keys(each).length > 0),
    trusted:
      config.trusted &&
      found.every((program) => program.trusted) &&
      [obeyed, submodules].every((each) => isTrusted(each, trusted ?? [])),
    keys,
    programs,
    files: [obeyed, submodules],
  };
}

const LONGEST_TEXT = 8 * 1024;

/** What people can read in a moment: settings of package managers and addresses, no lock files. */
async function smallTexts(files: Files, root: string, names: readonly string[]): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const name of names) {
    if (!mayNameFiles(name) && name !== SUBMODULES_FILE) continue;
    const found = await files.peekInside(root, name, LONGEST_TEXT).catch(() => null);
    if (found?.text != null && !found.truncated) texts[name] = found.text;
  }
  return texts;
}

/** The checkout we stand in: an agent's worktree may have other files than the main one. */
export function checkoutAround(cwd: string, root: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return root;
  }
}
