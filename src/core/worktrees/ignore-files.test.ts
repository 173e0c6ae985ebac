import { describe, expect, it } from "vitest";
import { type IgnoreFile, mayHide } from "./ignore-files.ts";

const OURS = { path: ".ours/.gitignore", text: "/notes\n" };

const hides = (change: Partial<IgnoreFile>): boolean =>
  mayHide({ path: ".gitignore", text: "*\n", committed: null, besideCommitted: true, ...change }, OURS);

describe("an ignore file", () => {
  it("may hide what it hides where it is committed, also with other ends of lines", () => {
    expect(hides({ text: "a\r\nb\r\n", committed: "a\nb\n" })).toBe(true);
  });
  it("may not where nobody has committed it, or not like this", () => {
    expect(hides({})).toBe(false);
    expect(hides({ text: "a\n*\n", committed: "a\n" })).toBe(false);
  });
  it("may where it is ours", () => {
    expect(hides({ ...OURS, besideCommitted: false })).toBe(true);
    expect(hides({ ...OURS, text: "/notes\nwork\n", besideCommitted: false })).toBe(false);
  });
  it("may where a tool hides its own folder", () => {
    const cache = { path: ".venv/.gitignore", text: "# Created by a tool\n*\n", besideCommitted: false };
    expect(hides(cache)).toBe(true);
    expect(hides({ ...cache, text: "*.py\n" })).toBe(false);
    expect(hides({ ...cache, besideCommitted: true })).toBe(false);
  });
});
