import type { Branch } from "../ids.ts";
import { slug } from "../naming.ts";
import { readOutline } from "./outline.ts";
import { namesIn, type Spec, type SpecFiles, type Specs } from "./spec.ts";

interface Task {
  readonly id: string;
  readonly text: string;
  readonly parallel: boolean;
  readonly done: boolean;
}

interface Phase {
  readonly number: number;
  readonly name: string;
  readonly tasks: Task[];
}

/**
 * `<feature>/tasks.md`: of the lowest phase that is not finished, each task marked [P] is a piece of work of its own,
 * and the rest are one.
 */
export function readSpecKit(files: SpecFiles): Specs {
  const entries: Spec[] = [];
  const warnings: string[] = [];
  for (const feature of namesIn(files, "")) {
    if (files.has(feature)) continue;
    const text = files.get(`${feature}/tasks.md`);
    if (text === undefined) warnings.push(`${feature} has no tasks.md and was left out`);
    else entries.push(...readFeature(files, feature, text));
  }
  return { entries, warnings };
}

function readFeature(files: SpecFiles, feature: string, text: string): Spec[] {
  const current = readPhases(text)
    .filter(({ tasks }) => tasks.some(({ done }) => !done))
    .sort((a, b) => a.number - b.number)[0];
  if (current === undefined) return [];
  const open = current.tasks.filter(({ done }) => !done);
  const entry = (id: string, branch: string, tasks: readonly Task[]): Spec => ({
    id,
    feature,
    branch: branch as Branch,
    cli: null,
    prompt: promptOf(files, feature, tasks),
    owned: [],
    path: `${feature}/tasks.md`,
  });
  const alone = open.filter(({ parallel }) => parallel);
  const together = open.filter(({ parallel }) => !parallel);
  return [
    ...alone.map((task) =>
      entry(`${feature}-${task.id}`, `task/${slug(`${task.id}-${task.text}`).slice(0, 60)}`, [task]),
    ),
    ...(together.length === 0
      ? []
      : [entry(`${feature}-phase-${current.number}`, `phase/${slug(`${feature}-${current.name}`)}`, together)]),
  ];
}

/** Tasks before any phase belong to phase 0. */
function readPhases(text: string): Phase[] {
  const phases: Phase[] = [{ number: 0, name: "setup", tasks: [] }];
  for (const item of readOutline(text)) {
    if (item.kind === "heading") {
      const [, number, name] = /^Phase\s+(\d+)\s*[:—–-]?\s*(.*)$/i.exec(item.text) ?? [];
      if (number !== undefined) phases.push({ number: Number(number), name: name || `phase-${number}`, tasks: [] });
      continue;
    }
    const [, id, parallel, words] = /^(T\d+)\s+(\[P\]\s*)?(.*)$/.exec(item.text) ?? [];
    if (id !== undefined)
      phases.at(-1)?.tasks.push({ id, text: words ?? "", parallel: parallel !== undefined, done: item.done });
  }
  return phases;
}

function promptOf(files: SpecFiles, feature: string, tasks: readonly Task[]): string {
  const part = (title: string, name: string) => {
    const text = files.get(`${feature}/${name}`);
    return text === undefined ? [] : [`## ${title}\n\n${text.trim()}`];
  };
  const list = tasks.map(({ id, text }) => `- [ ] ${id} ${text}`).join("\n");
  return [
    ...part("Feature context", "spec.md"),
    ...part("Implementation plan", "plan.md"),
    ...part("Validation criteria (advisory)", "quickstart.md"),
    `## Your task\n\n${list}\n\nTick each box in ${feature}/tasks.md in the commit that does it.`,
  ].join("\n\n---\n\n");
}
