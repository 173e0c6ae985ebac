import type { Failure } from "../failure.ts";
import { nearest } from "../nearest.ts";
import type { Spec } from "./spec.ts";

/** The pieces of work that names stand for. All of them or none: one name that is not clear starts nothing. */
export function pickSpecs(entries: readonly Spec[], names: readonly string[]): readonly Spec[] | Failure {
  const picked: Spec[] = [];
  for (const name of names) {
    const found = pickOne(entries, name);
    if ("kind" in found) return found;
    picked.push(...found.specs.filter((each) => !picked.includes(each)));
  }
  return picked;
}

/** By its id, by its feature or the beginning of that up to a dash, or by a feature's number. */
function pickOne(entries: readonly Spec[], name: string): { readonly specs: readonly Spec[] } | Failure {
  const exact = entries.filter(({ id }) => id === name);
  if (exact.length > 0) return { specs: exact };
  const byNumber = /^\d+$/.test(name);
  const means = ({ feature }: Spec) =>
    byNumber
      ? feature.startsWith(name) && !/\d/.test(feature[name.length] ?? "-")
      : feature === name || feature.startsWith(`${name}-`);
  const features = [...new Set(entries.filter(means).map(({ feature }) => feature))];
  const known = entries.map(({ id }) => id);
  if (features.length > 1) return { kind: "spec.ambiguous", name, candidates: features };
  const [feature] = features;
  if (feature === undefined) return { kind: "spec.unknown", name, known, near: nearest(name, known) };
  return { specs: entries.filter((each) => each.feature === feature) };
}
