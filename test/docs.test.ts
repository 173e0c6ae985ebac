import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { referencePages } from "../scripts/reference.ts";
import { COMMANDS } from "../src/cli/catalog.ts";

const pages = await referencePages();
const commands = await Promise.all(Object.values(COMMANDS).map(async (load) => (await load()).command));

describe("the reference", () => {
  it.each(Object.keys(pages))("%s says what the program does (`npm run docs` writes it anew)", (name) => {
    const path = join("docs/reference", name);
    if (process.env.WRITE_DOCS === "1") writeFileSync(path, pages[name] ?? "");
    expect(readFileSync(path, "utf8")).toBe(pages[name]);
  });
});

describe("every command", () => {
  it.each(commands.map((command) => [command.name, command] as const))(
    "%s has a summary, two examples of itself, and help for everything it takes",
    (name, command) => {
      expect(COMMANDS[name]).toBeDefined();
      expect(command.summary.length).toBeGreaterThan(15);
      expect(command.examples.filter(({ run }) => run.includes(`banksman ${name}`)).length).toBeGreaterThanOrEqual(
        name === "tell" ? 1 : 2,
      );
      for (const { help } of [...(command.args ?? []), ...(command.options ?? [])])
        expect(help.length).toBeGreaterThan(5);
    },
  );
});

describe("documents", () => {
  const documents = [
    ...list("."),
    ...list("docs"),
    ...list("docs/guides"),
    ...list("docs/decisions"),
    ...list("docs/refused"),
  ];
  it.each(documents)("%s links to files that are there", (file) => {
    const links = [...readFileSync(file, "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = ""]) => link);
    expect(links.filter((link) => !existsSync(join(file, "..", link)))).toEqual([]);
  });
  it.each(documents)("%s names only commands that exist", (file) => {
    const words = [...readFileSync(file, "utf8").matchAll(/`banksman ([a-z-]+)/g)].map(([, word = ""]) => word);
    expect(words.filter((word) => COMMANDS[word] === undefined)).toEqual([]);
  });
  it("of decisions are numbered, and say what was rejected", () => {
    const decisions = list("docs/decisions");
    expect(decisions.map((file) => file.split("/").at(-1)?.slice(0, 4))).toEqual(
      decisions.map((_, i) => String(i + 1).padStart(4, "0")),
    );
    for (const file of decisions)
      expect(readFileSync(file, "utf8")).toMatch(/## Context[\s\S]*## Decision[\s\S]*## Rejected/);
  });
});

function list(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".md"));
  return names.sort().map((name) => join(folder, name));
}
