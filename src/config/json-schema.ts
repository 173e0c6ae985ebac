import * as z from "zod/mini";
import { LATER, SCHEMA } from "./schema.ts";

/** Draft 2020-12, for editors. */
export function jsonSchema(): object {
  const root: Node = { type: "object", additionalProperties: false, properties: {} };
  for (const { key, type, help, names, ...row } of SCHEMA) {
    const described = {
      ...(z.toJSONSchema(type) as object),
      description: help,
      ...(row.default !== undefined && { default: row.default }),
    };
    for (const each of names === undefined ? [key] : names.map((name) => key.replace("*", name)))
      place(root, each.split("."), described);
  }
  for (const { prefix } of LATER) leaveOpen(root, prefix.split("."));
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: "banksman config.toml", ...root };
}

/** Whatever is there already stays; beside it everything is taken. */
function leaveOpen(root: Node, path: readonly string[]): void {
  const node = path.reduce<object | undefined>((at, name) => (at as Node | undefined)?.properties?.[name], root);
  if (node === undefined) place(root, path, {});
  else (node as Node).additionalProperties = true;
}

interface Node {
  type: "object";
  additionalProperties: boolean | Node;
  properties: Record<string, object>;
}

function place(node: Node, [head = "", ...rest]: readonly string[], leaf: object): void {
  const empty = (): Node => ({ type: "object", additionalProperties: false, properties: {} });
  if (head === "*") {
    if (typeof node.additionalProperties === "boolean") node.additionalProperties = empty();
    return place(node.additionalProperties, rest, leaf);
  }
  if (rest.length === 0) {
    node.properties[head] ??= leaf;
    return;
  }
  node.properties[head] ??= empty();
  place(node.properties[head] as Node, rest, leaf);
}
