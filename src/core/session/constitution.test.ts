import { describe, expect, it } from "vitest";
import type { SpecType } from "../specs/spec.ts";
import { constitutionPart, constitutionPath, isTemplate } from "./constitution.ts";

describe("the constitution", () => {
  it.each<[SpecType | null, string | null, string | null, string | null]>([
    ["speckit", null, null, ".specify/memory/constitution.md"],
    ["speckit", "kit/specs/", null, "kit/memory/constitution.md"],
    ["speckit", "specs", null, "memory/constitution.md"],
    [null, null, null, ".specify/memory/constitution.md"],
    [null, "specs", null, ".specify/memory/constitution.md"],
    ["openspec", null, null, null],
    ["openspec", null, "docs/principles.md", "docs/principles.md"],
    ["speckit", null, "", null],
  ])("of %s specs in %s, named %j, is %s", (type, dir, constitution, path) => {
    expect(constitutionPath({ specs: { type, dir, prefix: "spec/" }, constitution })).toBe(path);
  });
  it("that is still the template is none", () => {
    expect(isTemplate("# [PROJECT_NAME] Constitution\n")).toBe(true);
    expect(isTemplate("### [PRINCIPLE_1_NAME]\n")).toBe(true);
    expect(isTemplate("# Shop Constitution\n\n- no [foo]\n")).toBe(false);
  });
  it("is in the brief as it is, unless it is too long to be typed", () => {
    expect(constitutionPart("c.md", "No panics.\n")).toMatch(/^# The project's constitution\n[\s\S]*\n\nNo panics\.$/);
    expect(constitutionPart("c.md", "x".repeat(20_000))).toMatch(/read `c\.md` before you begin\.$/);
  });
});
