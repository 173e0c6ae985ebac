import { readOutline } from "../core/specs/outline.ts";
import { readTasks } from "../core/specs/tasks.ts";
import { readDocument, textOf } from "./read-document.ts";
import { Refused } from "./refused.ts";
import type { DocumentName, LocatedSpec, Sources } from "./sources.ts";
import type { Tool } from "./tool.ts";

const MOST_ADRS = 500;

/** What the project has written down: decisions, rules, specs, skills. */
export const projectTools = (sources: Sources): readonly Tool[] => [
  {
    name: "get_adrs",
    does: "The records of architectural decisions: path and title of each.",
    takes: {},
    run: async () => (await adrs(sources)).map(({ path, title }) => ({ path, title })),
  },
  {
    name: "get_adr",
    does: "One record, by its number, file name or words of its title; null if there is none.",
    takes: { query: { is: "text", required: true, help: "Number, file name or words of the title." } },
    run: async ({ query }) => findAdr(await adrs(sources), String(query)),
  },
  document(sources, "get_test_strategy", "test_strategy", "How the project is tested"),
  document(sources, "get_security_checklist", "security", "The security checklist"),
  document(sources, "get_dod", "dod", "When something is done"),
  document(sources, "get_constitution", "constitution", "The project's principles"),
  {
    name: "check_dod",
    does: "The points that say when something is done, beside what a branch has: whether they are met is yours to judge. Null without such a document.",
    takes: { branch: { is: "text", required: true, help: "The branch to look at." } },
    run: async ({ branch }) => checkDod(sources, String(branch)),
  },
  {
    name: "get_specs",
    does: "Specs that are not finished: id, kind, branch, file.",
    takes: {},
    run: async () => (await sources.project.specs()).map(({ prompt: _, ...rest }) => rest),
  },
  {
    name: "get_spec",
    does: "One spec with its text, by id or branch; null if there is none.",
    takes: { id: { is: "text", required: true, help: "Its id or branch." } },
    run: async ({ id }) => {
      const spec = findSpec(await sources.project.specs(), String(id));
      if (spec === null) return null;
      const { prompt, ...rest } = spec;
      return { ...rest, text: prompt };
    },
  },
  {
    name: "get_tasks",
    does: "The tasks of a spec with their ids, and whether they are done. Empty if there is no such spec.",
    takes: { spec: { is: "text", required: true, help: "The spec's id, feature or branch." } },
    run: async ({ spec }) => tasksOf(sources, String(spec)),
  },
  {
    name: "get_task",
    does: "One task of a spec; null if there is none.",
    takes: {
      spec: { is: "text", required: true, help: "The spec's id, feature or branch." },
      id: { is: "text", required: true, help: "The task's id, as get_tasks names it." },
    },
    run: async ({ spec, id }) => (await tasksOf(sources, String(spec))).find((task) => task.id === id) ?? null,
  },
  {
    name: "get_skill",
    does: "A skill by name: coordination, supervisor, or one of the repository's or the user's; null if there is none.",
    takes: { name: { is: "text", required: true, help: "Its name, as its folder is called." } },
    run: async ({ name }) => {
      if (!/^[a-z0-9][a-z0-9_-]{0,63}$/i.test(String(name)))
        throw new Refused("name must be the name of a skill's folder.");
      return sources.project.skill(String(name));
    },
  },
];

function document({ repository, project }: Sources, tool: string, name: DocumentName, what: string): Tool {
  return {
    name: tool,
    does: `${what}, as the project has written it down; null if it has not (\`governance.${name}\` says where).`,
    takes: {},
    run: async () => {
      const path = (await project.documents())[name];
      return path === null || path === "" ? null : readDocument(repository, path);
    },
  };
}

interface Adr {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

async function adrs({ repository, project }: Sources): Promise<Adr[]> {
  const folder = (await project.documents()).adr;
  if (folder === null) return [];
  const { files } = await repository.list(folder, MOST_ADRS);
  const texts = await Promise.all(
    files.filter((path) => /\.(md|markdown|adoc|txt)$/i.test(path)).map((path) => readDocument(repository, path)),
  );
  return texts.flatMap((found) => {
    if (found === null || found.text === null) return [];
    return [{ path: found.path, title: titleOf(found.text) ?? found.path, text: found.text }];
  });
}

const titleOf = (text: string): string | null => /^#\s+(.+)$/m.exec(text)?.[1]?.trim() ?? null;

/** The most exact first: file name, number, words. */
function findAdr(all: readonly Adr[], query: string): Adr | null {
  const wanted = query.trim().toLowerCase();
  const name = ({ path }: Adr) => path.split("/").at(-1)?.toLowerCase() ?? "";
  const number = /^(?:adr[- ]?)?0*(\d+)$/.exec(wanted)?.[1];
  return (
    all.find((adr) => name(adr) === wanted || adr.path.toLowerCase() === wanted) ??
    all.find((adr) => number !== undefined && /\d+/.exec(name(adr))?.[0].replace(/^0+(?=\d)/, "") === number) ??
    all.find((adr) => `${adr.title} ${name(adr)}`.toLowerCase().includes(wanted)) ??
    null
  );
}

async function checkDod({ repository, project }: Sources, branch: string) {
  const path = (await project.documents()).dod;
  const text = path === null ? null : await textOf(repository, path);
  if (text === null) return null;
  const current = (await repository.branches()).find((each) => each.current)?.branch ?? "HEAD";
  const work = await repository.diff(branch, current, 0);
  const boxes = readOutline(text).flatMap((item) => (item.kind === "task" ? [item.text] : []));
  const points =
    boxes.length > 0 ? boxes : [...text.matchAll(/^[^\S\n]*(?:[-*+]|\d+[.)])[^\S\n]+(.+)$/gm)].map(([, each]) => each);
  const made = work === null ? null : { base: current, commits: work.commits, files: work.files };
  return { path, branch, points, work: made };
}

/** The spec that is called so, by id or branch; else the first of that feature. */
function findSpec(specs: readonly LocatedSpec[], name: string): LocatedSpec | null {
  return (
    specs.find(({ id, branch }) => id === name || branch === name) ??
    specs.find(({ feature }) => feature === name) ??
    null
  );
}

async function tasksOf({ repository, project }: Sources, name: string) {
  const spec = findSpec(await project.specs(), name);
  const text = spec === null ? null : await textOf(repository, spec.file);
  return text === null ? [] : readTasks(text);
}
