import { expect, it } from "vitest";
import { couldMatch } from "./matches-glob.ts";

it.each([
  ["*.ts", "a.ts", true],
  ["*", ".env", false],
  [".*", ".env", true],
  [".e?v", ".env", true],
  ["[.]env", ".env", true],
  [".[e]nv", ".env", true],
  [".[]e]nv", ".env", true],
  [".[!]]nv", ".env", true],
  ["*r*t*.json", "secrets.json", true],
  ["*.json", "secrets.json", true],
  ["*.jso", "secrets.json", false],
  ["s*s*s*", "secrets.json", true],
  ["s*s*s*s", "secrets.json", false],
  ["id_?sa", "id_rsa", true],
  ["id_??sa", "id_rsa", false],
  ["**", "id_rsa", true],
  ["[", "[", true],
])("%s could match %s: %s", (pattern, name, could) => {
  expect(couldMatch(pattern, name)).toBe(could);
});
