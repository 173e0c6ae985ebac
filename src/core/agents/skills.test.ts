import { describe, expect, it } from "vitest";
import type { AgentId, Branch } from "../text/ids.ts";
import { COORDINATION, writeBrief } from "./brief.ts";
import { commandValues, fillSkill, parseSkill, writeFilledSkill, writeSkill } from "./skills.ts";
import { SUPERVISION, writeSupervisorBrief } from "./supervisor-brief.ts";

const skill = (body: string) => parseSkill(`---\nname: mine\ndescription: Mine.\n---\n${body}`, "SKILL.md", "mine");

describe("a skill", () => {
  it("is filled for one agent, and what is put in is not looked at again", () => {
    const read = skill("I am {{BRANCH_ID}}; tests: {{TEST_COMMAND}}; {{SKILL_NAME}}");
    if ("kind" in read) throw new Error(read.kind);
    expect(fillSkill(read, { BRANCH_ID: "{{SKILL_NAME}}" })).toBe("I am {{SKILL_NAME}}; tests: (not configured); mine");
  });
  it("is filled with the commands that are configured", () => {
    const read = skill("{{TEST_COMMAND}} {{FMT_CHECK_COMMAND}} {{LINT_COMMAND}}");
    if ("kind" in read) throw new Error(read.kind);
    const values = commandValues({ test: "npm test", fmt_check: "fmt $(x) {{BRANCH}}", lint: null });
    expect(fillSkill(read, values)).toBe("npm test fmt $(x) {{BRANCH}} (not configured)");
  });
  it.each([
    ["no frontmatter", "text", /needs a name and a description/],
    ["no description", "---\nname: x\n---\n", /needs a name and a description/],
    ["broken YAML", "---\nname: [x\n---\n", /./],
    ["an unknown placeholder", "---\nname: x\ndescription: y\n---\n{{NOPE}}", /no placeholder \{\{NOPE\}\}/],
    ["another name than its folder", "---\nname: y\ndescription: y\n---\n", /its name is y, and its folder's is x/],
    ["a description without end", `---\nname: x\ndescription: ${"y".repeat(1025)}\n---\n`, /longer than 1024/],
  ])("with %s is a problem that says so", (_, text, why) => {
    expect(parseSkill(text, "SKILL.md", "x")).toMatchObject({ kind: "skill.problem", why: expect.stringMatching(why) });
  });
});

describe("the bundled skills", () => {
  it.each([COORDINATION, SUPERVISION])("$name would be taken from a folder, too", (bundled) => {
    expect(parseSkill(writeSkill(bundled), "banksman", bundled.name)).toEqual(bundled);
    expect(bundled.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });
  it("for other CLIs has no placeholder left, and is one of ours still", () => {
    const written = writeFilledSkill(SUPERVISION, "shop");
    expect(written).not.toMatch(/\{\{|not configured/);
    expect(written).toMatch(/a session on shop[\s\S]*git log HEAD\.\.<branch>/);
    expect(parseSkill(written, "banksman", SUPERVISION.name)).not.toHaveProperty("kind");
  });
  it("for supervising is found by what people say", () => {
    for (const word of ["supervise", "supervisor", "shepherd", "coordinate an epic", "get these done"])
      expect(SUPERVISION.description).toContain(word);
  });
});

it("a supervisor's brief says how, and whom", () => {
  const agents = [{ agent: "feat-a" as AgentId, branch: "feat/a" as Branch, cli: "claude" }];
  const brief = writeSupervisorBrief(SUPERVISION, { project: "shop", base: "trunk" as Branch, agents });
  expect(brief).toMatch(/session on shop[\s\S]*git log trunk\.\.[\s\S]*`feat-a` on branch `feat\/a`, a claude/);
  expect(brief).not.toMatch(/\{\{/);
});

describe("a brief", () => {
  const brief = (task: string | null) =>
    writeBrief(COORDINATION, { agent: "feat-a" as AgentId, branch: "feat/a" as Branch, project: "p", task });
  it("says how to work here, and then what", () => {
    expect(brief("Do it.")).toMatch(
      /^# How you work here\n\nYou are `feat-a`[\s\S]*branch `feat\/a`[\s\S]*# Your task\n\nDo it\.\n$/,
    );
    expect(brief(null)).toContain("ask what is wanted");
  });
  it("says how to check the project", () => {
    const mine = { ...COORDINATION, body: "Test with {{TEST_COMMAND}}, lint with {{LINT_COMMAND}}." };
    const commands = { test: "make check", lint: null };
    const asked = { agent: "feat-a" as AgentId, branch: "feat/a" as Branch, project: "p", task: "x", commands };
    expect(writeBrief(mine, asked)).toMatch(/^Test with make check, lint with \(not configured\)\./);
    const agents = [] as const;
    expect(writeSupervisorBrief(mine, { project: "p", base: "main" as Branch, agents, commands })).toMatch(
      /^Test with make check/,
    );
  });
  it("leaves no placeholder open, whatever the task holds", () => {
    expect(brief("x").match(/\{\{/)).toBe(null);
    expect(brief("{{BRANCH_ID}}")).toContain("{{BRANCH_ID}}");
  });
});
