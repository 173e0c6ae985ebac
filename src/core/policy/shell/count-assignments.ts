import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";

/** How often a script gives each variable a value, wherever that is in it. */
export function countAssignments(script: ParsedScript): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const left: SyntaxNode[] = [script];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    if (node.type === "Assignment") count(node.name);
    if (node.type === "For" || node.type === "Select") count(node.name.value);
    if (node.type === "Default" && node.operator.includes("=")) count("");
    forEachChild(node, (child) => left.push(child));
  }
  return counts;
}
