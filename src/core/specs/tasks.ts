import { readOutline } from "./outline.ts";

/** One box of a spec, to be ticked. */
export interface SpecTask {
  /** The one it has in the text (`T012`, `2.1`), or made from where it stands. */
  readonly id: string;
  readonly text: string;
  readonly done: boolean;
  /** The heading it is under. */
  readonly section: string | null;
  readonly line: number;
}

/** The boxes of a spec's text, in order. Each id is there once. */
export function readTasks(text: string): SpecTask[] {
  const tasks: SpecTask[] = [];
  const taken = new Set<string>();
  let section: string | null = null;
  let inSection = 0;
  for (const item of readOutline(text)) {
    if (item.kind === "heading") {
      section = item.text;
      inSection = 0;
      continue;
    }
    inSection++;
    const own = /^\**(T\d+|\d+(?:\.\d+)+)\b/.exec(item.text)?.[1];
    const step = /^Task\s+(\d+)/i.exec(section ?? "")?.[1];
    const wanted = own ?? (step === undefined ? String(tasks.length + 1) : `${step}.${inSection}`);
    const id = taken.has(wanted) ? `${wanted}@${item.line}` : wanted;
    taken.add(id);
    tasks.push({ id, text: item.text, done: item.done, section, line: item.line });
  }
  return tasks;
}
