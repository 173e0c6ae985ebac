import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { TooMuch } from "./too-much.ts";

/** Words, commands and their parts: more than a person would read. */
const MOST_NODES = 8_000;

/** How often a script gives each variable a value, wherever that is in it. Throws for a script that is too large. */
export function countAssignments(script: ParsedScript): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const left: SyntaxNode[] = [script];
  let seen = 0;
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (++seen > MOST_NODES) throw new TooMuch();
    if (node.type === "Assignment") count(node.name);
    if (node.type === "For" || node.type === "Select") count(node.name.value);
    if (node.type === "Default" && node.operator.includes("=")) count("");
    forEachChild(node, (child) => left.push(child));
  }
  return counts;
}
