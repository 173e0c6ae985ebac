import type { Instant } from "../text/ids.ts";
import { iso } from "../text/instant.ts";
import { type Learning, SECTIONS } from "./learnings.ts";

/** In the repository, for people to read. */
export const LEARNINGS_FILE = ".banksman/learnings.md";

/**
 * The file with what it does not have yet, added at its end; null when it has it all. What was written is known by the
 * keys in the file itself, so that deriving everything anew writes nothing twice.
 */
export function appendLearnings(file: string, learnings: readonly Learning[], now: Instant): string | null {
  const written = new Set([...file.matchAll(/^- .* <!-- (\S+) -->$/gm)].map(([, key]) => key));
  const news = learnings.filter(({ key }) => !written.has(key));
  if (news.length === 0) return null;
  const sections = SECTIONS.flatMap((section) => {
    const lines = news.filter((each) => each.section === section).map(bullet);
    return lines.length === 0 ? [] : [`### ${section}\n\n${[...new Set(lines)].join("\n")}\n`];
  });
  const before = file === "" || file.endsWith("\n") ? file : `${file}\n`;
  const gap = before === "" ? "" : "\n";
  return `${before}${gap}## Session Learnings — ${iso(now)}\n\n${sections.join("\n")}`;
}

const bullet = ({ at, text, key }: Learning): string => `- ${iso(at)} — ${text} <!-- ${key} -->`;
