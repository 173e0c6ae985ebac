import type { Overlap, Touch } from "./detect.ts";

/** Every text of the detector begins so: agents and dashboards tell it from what a person says by it. */
const TAG = "[conflict-detector]";

export function forward(other: string, overlaps: readonly Overlap[], most: number): string {
  const named = overlaps.slice(0, most).map(({ words }) => words);
  const rest = overlaps.length > most ? `; and ${overlaps.length - most} more` : "";
  const hint = overlaps.some(({ crossKind }) => crossKind)
    ? " (some regions are of kinds that cannot be compared: name functions or lines on both sides)"
    : "";
  return `${TAG} forward conflict: agent ${other} also intends to modify: ${named.join("; ")}${rest}${hint}`;
}

/** As the reader sees it. */
export function inFlight(path: string, how: Touch["how"], other: string): string {
  const start = `${TAG} in-flight conflict: file ${path} is being modified by`;
  if (how === "both") return `${start} both you and ${other}`;
  return how === "modifies-planned" ? `${start} you, and ${other} plans to` : `${start} ${other}, and you plan to`;
}

export const more = (count: number, other: string): string =>
  `${TAG} in-flight conflict: and ${count} more files with ${other}`;

export const violation = (path: string, owner: string, by: "spec" | "intent"): string =>
  by === "spec"
    ? `${TAG} ownership violation: you edited ${path}, which belongs to agent ${owner}'s spec`
    : `${TAG} ownership violation: you edited ${path} but agent ${owner} declared intent over it`;

export const askInFlight = (path: string, a: string, b: string, seconds: number): string =>
  `${TAG} in-flight conflict: on ${path} between ${a} and ${b} has not resolved within ${seconds}s: who goes on?`;

export const askViolation = (path: string, violator: string, owner: string): string =>
  `${TAG} ownership violation: ${violator} edited ${path}, which is ${owner}'s: is that meant?`;

export const additive = (path: string, other: string): string =>
  `${TAG} in-flight conflict: shared file, additive: you and ${other} are in different parts of ${path}; resolve at merge`;
