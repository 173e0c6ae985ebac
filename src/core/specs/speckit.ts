import type { Branch } from "../text/ids.ts";
import { slug } from "../text/naming.ts";
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

interface Feature {
  readonly name: string;
  readonly phases: readonly Phase[];
}

/**
 * `<feature>/tasks.md`: of the lowest phase that is not finished, each task marked [P] is a piece of work of its own,
 * and the rest are one. `folder` is where the features are, as the agents see it.
 */
export function readSpecKit(files: SpecFiles, folder: string): Specs {
  const features: Feature[] = [];
  const warnings: string[] = [];
  const leftOut = new Map<string, string>();
  for (const name of namesIn(files, "")) {
    const text = files.get(`${name}/tasks.md`);
    if (text !== undefined) features.push({ name, phases: readPhases(text) });
    else if (files.has(`${name}/spec.md`) || files.has(`${name}/plan.md`)) leftOut.set(name, "has no tasks.md");
  }
  warnings.push(...[...leftOut].map(([name, why]) => `${name} ${why} and was left out`));
  const branchOf = taskBranches(features);
  const entries = features.flatMap((feature) => readFeature(files, folder, feature, branchOf, warnings));
  for (const { name } of features)
    if (entries.every(({ feature }) => feature !== name)) leftOut.set(name, "has no open task");
  return { entries, warnings, leftOut };
}

/**
 * The branch of each task that has one of its own: `task/<id-text>`, and with its feature where another task would have
 * the same. Finished tasks count too, so that a name stays the same while boxes are ticked.
 */
function taskBranches(features: readonly Feature[]): ReadonlyMap<Task, Branch> {
  const alone = features.flatMap(({ name, phases }) =>
    phases.flatMap(({ tasks }) => tasks.filter(({ parallel }) => parallel).map((task) => ({ name, task }))),
  );
  const plain = ({ id, text }: Task) => `task/${slug(`${id}-${text}`).slice(0, LONGEST)}`;
  const users = new Map<string, number>();
  for (const { task } of alone) users.set(plain(task), (users.get(plain(task)) ?? 0) + 1);
  const taken = new Set<string>();
  const last = new Map<string, number>();
  return new Map(
    alone.map(({ name, task }) => {
      const own = users.get(plain(task)) === 1 ? plain(task) : withFeature(name, task);
      let n = (last.get(own) ?? 0) + 1;
      const named = () => (n === 1 ? own : `${own}-${n}`);
      while (taken.has(named())) n++;
      last.set(own, n);
      taken.add(named());
      return [task, named() as Branch];
    }),
  );
}

const LONGEST = 60;

const withFeature = (feature: string, { id, text }: Task): string =>
  `task/${slug(`${feature}-${id}`)}-${slug(text).slice(0, LONGEST)}`;

/** Each of them carries the whole feature in its brief: more at once is nothing anybody would start. */
const MOST_ALONE = 100;

function readFeature(
  files: SpecFiles,
  folder: string,
  { name: feature, phases }: Feature,
  branchOf: ReadonlyMap<Task, Branch>,
  warnings: string[],
): Spec[] {
  const current = phases.filter(({ tasks }) => tasks.some(({ done }) => !done)).sort((a, b) => a.number - b.number)[0];
  if (current === undefined) return [];
  const open = current.tasks.filter(({ done }) => !done);
  const path = `${feature}/tasks.md`;
  const entry = (id: string, branch: string, tasks: readonly Task[]): Spec => ({
    id,
    feature,
    branch: branch as Branch,
    cli: null,
    prompt: promptOf(files, feature, tasks, `${folder}/${path}`),
    owned: [],
    path,
  });
  const alone = open.filter(({ parallel }) => parallel);
  const together = open.filter(({ parallel }) => !parallel);
  if (alone.length > MOST_ALONE)
    warnings.push(
      `${feature} has ${alone.length} open tasks marked [P]; those after the first ${MOST_ALONE} have to wait`,
    );
  return [
    ...alone.slice(0, MOST_ALONE).map((task) => entry(`${feature}-${task.id}`, branchOf.get(task) ?? "", [task])),
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
      const [, number, name] = /^Phase\s+(\d+)\s*[:—–-]?\s*(.*)$/is.exec(item.text) ?? [];
      if (number !== undefined) phases.push({ number: Number(number), name: name || `phase-${number}`, tasks: [] });
      continue;
    }
    const [, id, parallel, words] = /^(T\d+)\s+(\[P\]\s*)?(.*)$/s.exec(item.text) ?? [];
    if (id !== undefined)
      phases.at(-1)?.tasks.push({ id, text: words ?? "", parallel: parallel !== undefined, done: item.done });
  }
  return phases;
}

function promptOf(files: SpecFiles, feature: string, tasks: readonly Task[], boxes: string): string {
  const part = (title: string, name: string) => {
    const text = files.get(`${feature}/${name}`);
    return text === undefined ? [] : [`## ${title}\n\n${text.trim()}`];
  };
  const list = tasks.map(({ id, text }) => `- [ ] ${id} ${text}`).join("\n");
  return [
    ...part("Feature context", "spec.md"),
    ...part("Implementation plan", "plan.md"),
    ...part("Validation criteria (advisory)", "quickstart.md"),
    `## Your task\n\n${list}\n\nTick each box in ${boxes} in the commit that does it.`,
  ].join("\n\n---\n\n");
}
