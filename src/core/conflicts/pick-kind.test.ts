import { describe, expect, it } from "vitest";
import { isSecretName } from "../text/secret-names.ts";
import { pickKind, type Stage } from "./pick-kind.ts";

const stages = (...each: (readonly [stage: number, blob: string, mode?: string])[]): Stage[] =>
  each.map(([stage, blob, mode = "100644"]) => ({ stage, blob, mode }));

describe("pickKind", () => {
  it.each([
    ["content", ["CONFLICT (contents)"], stages([1, "a"], [2, "b"], [3, "c"])],
    ["add/add", ["CONFLICT (contents)"], stages([2, "b"], [3, "c"])],
    ["mode", [], stages([2, "b"], [3, "b", "100755"])],
    ["binary", ["CONFLICT (contents)", "CONFLICT (binary)"], stages([1, "a"], [2, "b"], [3, "c"])],
    ["modify/delete", ["CONFLICT (modify/delete)"], stages([1, "a"], [3, "c"])],
    ["modify/delete", [], stages([1, "a"], [2, "c"])],
    ["rename/delete", ["CONFLICT (rename/delete)", "CONFLICT (modify/delete)"], stages([1, "a"], [3, "c"])],
    ["rename/add", ["CONFLICT (contents)", "CONFLICT (rename involved in collision)"], stages([2, "b"], [3, "c"])],
    ["directory/file", ["CONFLICT (file/directory)"], stages([2, "b"])],
    ["directory rename", ["CONFLICT (directory rename suggested)"], stages([3, "b"])],
    ["submodule", ["CONFLICT (submodule not initialized)"], stages([1, "a", "160000"])],
    ["submodule", [], stages([1, "a", "160000"], [2, "b", "160000"], [3, "c", "160000"])],
    ["type", ["CONFLICT (distinct modes)"], stages([2, "b", "120000"])],
  ] as const)("%s of %j", (kind, names, versions) => expect(pickKind(names, versions)).toBe(kind));
});

describe("isSecretName", () => {
  it.each([
    ".env",
    "a/.env.local",
    "prod.env",
    "server.key",
    "x/id_ed25519",
    ".npmrc",
    "aws/credentials",
    "secrets.yml",
  ])("%s", (name) => expect(isSecretName(name)).toBe(true));
  it.each([".env.example", "src/env.ts", "keyboard.ts", "secrets.ts", ".env.sample", "monkey", "credentials.ts"])(
    "not %s",
    (name) => expect(isSecretName(name)).toBe(false),
  );
});
