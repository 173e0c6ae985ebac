import { expect, it } from "vitest";
import { parsePermission, writePermission } from "./permission.ts";

it.each([
  ["allow", true, ""],
  [" allow ", true, ""],
  ["deny", false, ""],
  ["deny not the lock file", false, "not the lock file"],
  ["deny: no", false, "no"],
  ["deny allow", false, "allow"],
  ["deny, allow", false, "allow"],
])("%j is read, kept and read again", (text, allow, note) => {
  const permission = parsePermission(text);
  expect(permission).toEqual({ allow, note });
  expect(permission && parsePermission(writePermission(permission))).toEqual({ allow, note });
});

it.each(["", "yes", "allowed", "allow it", "Allow", "denying", "no"])("%j is neither", (text) => {
  expect(parsePermission(text)).toBe(null);
});
