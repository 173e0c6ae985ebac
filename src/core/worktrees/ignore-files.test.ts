import { describe, expect, it } from "vitest";
import { IGNORE_FILE, IGNORED } from "../clis/sidecar.ts";
import { type IgnoreFile, mayHide } from "./ignore-files.ts";

const file = (change: Partial<IgnoreFile>): IgnoreFile => ({
  ...{ path: ".gitignore", text: "*\n", committed: null, besideCommitted: true },
  ...change,
});

describe("an ignore file", () => {
  it("may hide what it hides where it is committed, also with other ends of lines", () => {
    expect(mayHide(file({ text: "a\r\nb\r\n", committed: "a\nb\n" }))).toBe(true);
  });
  it("may not where nobody has committed it, or not like this", () => {
    expect(mayHide(file({}))).toBe(false);
    expect(mayHide(file({ text: "a\n*\n", committed: "a\n" }))).toBe(false);
  });
  it("may where it is ours", () => {
    expect(mayHide(file({ path: IGNORE_FILE, text: IGNORED, besideCommitted: false }))).toBe(true);
    expect(mayHide(file({ path: IGNORE_FILE, text: `${IGNORED}work\n`, besideCommitted: false }))).toBe(false);
  });
  it("may where a tool hides its own folder", () => {
    const cache = { path: ".venv/.gitignore", text: "# Created by a tool\n*\n", besideCommitted: false };
    expect(mayHide(file(cache))).toBe(true);
    expect(mayHide(file({ ...cache, text: "*.py\n" }))).toBe(false);
    expect(mayHide(file({ ...cache, besideCommitted: true }))).toBe(false);
  });
});
