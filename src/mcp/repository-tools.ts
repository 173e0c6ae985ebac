import { readDocument } from "./read-document.ts";
import type { Sources } from "./sources.ts";
import type { Tool } from "./tool.ts";

const MOST_FILES = 5_000;
const MOST_MATCHES = 200;
const USUAL_COMMITS = 20;
const MOST_COMMITS = 500;
const MOST_DIFF = 200_000;
const READMES = ["README.md", "README", "readme.md", "README.rst", "README.txt"];
const DOCUMENT = /\.(md|mdx|markdown|rst|adoc|txt)$/i;

/** Code, history and documents. Nothing outside the repository, and no file that holds secrets by its name. */
export const repositoryTools = ({ repository, project }: Sources): readonly Tool[] => [
  {
    name: "get_branches",
    does: "The branches with their newest commit.",
    takes: {},
    run: () => repository.branches(),
  },
  {
    name: "get_recent_commits",
    does: "A branch's newest commits. Empty if there is no such branch.",
    takes: {
      branch: { is: "text", required: true, help: "A branch, tag or commit." },
      limit: { is: "number", most: MOST_COMMITS, help: `How many; ${USUAL_COMMITS} without it.` },
    },
    run: async ({ branch, limit = USUAL_COMMITS }) => (await repository.commits(String(branch), Number(limit))) ?? [],
  },
  {
    name: "get_diff",
    does: "What a branch has changed since it left its base; null if there is no such branch. Long ones are cut.",
    takes: {
      branch: { is: "text", required: true, help: "A branch, tag or commit." },
      base: { is: "text", help: "What it is compared with; the branch that is checked out without it." },
    },
    run: async ({ branch, base }) => {
      const against = base ?? (await repository.branches()).find(({ current }) => current)?.branch ?? "HEAD";
      return repository.diff(String(branch), String(against), MOST_DIFF);
    },
  },
  {
    name: "list_files",
    does: "Files of the repository, ignored ones not.",
    takes: { subpath: { is: "text", help: "Only below this folder." } },
    run: ({ subpath = "" }) => repository.list(String(subpath), MOST_FILES),
  },
  {
    name: "read_file",
    does: "A file's text; null if there is none. Long ones are cut.",
    takes: { path: { is: "text", required: true, help: "Relative to the repository." } },
    run: ({ path }) => readDocument(repository, String(path)),
  },
  {
    name: "search_code",
    does: "Lines that hold a text, as it is written (no pattern), with path and number.",
    takes: {
      query: { is: "text", required: true, help: "The text." },
      subpath: { is: "text", help: "Only below this folder, or in this file." },
    },
    run: ({ query, subpath = "" }) => repository.search(String(query), String(subpath), MOST_MATCHES),
  },
  {
    name: "get_readme",
    does: "The project's readme; null if it has none.",
    takes: {},
    run: async () => {
      const { readme } = await project.documents();
      for (const path of readme === null ? READMES : [readme]) {
        const found = await readDocument(repository, path);
        if (found !== null) return found;
      }
      return null;
    },
  },
  {
    name: "list_docs",
    does: "The project's documents.",
    takes: {},
    run: async () => {
      const { files } = await repository.list((await project.documents()).docs ?? "docs", MOST_FILES);
      return files.filter((path) => DOCUMENT.test(path));
    },
  },
  {
    name: "get_doc",
    does: "A document's text, by its path as list_docs has it, or below the folder of documents; null if there is none.",
    takes: { path: { is: "text", required: true, help: "Its path." } },
    run: async ({ path }) => {
      const found = await readDocument(repository, String(path));
      const folder = (await project.documents()).docs;
      return found ?? (folder === null ? null : readDocument(repository, `${folder}/${String(path)}`));
    },
  },
];
