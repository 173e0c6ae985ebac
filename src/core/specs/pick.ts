import type { Failure } from "../failure/failure.ts";
import { nearest } from "../text/nearest.ts";
import type { Spec, Specs } from "./spec.ts";

/** The pieces of work that names stand for. All of them or none: one name that is not clear starts nothing. */
export function pickSpecs(
  { entries, leftOut }: Pick<Specs, "entries" | "leftOut">,
  names: readonly string[],
): readonly Spec[] | Failure {
  const picked: Spec[] = [];
  for (const name of names) {
    const why = leftOut.get(name);
    if (why !== undefined) return { kind: "spec.left-out", name, why };
    const found = pickOne(entries, name);
    if ("kind" in found) return found;
    picked.push(...found.specs.filter((each) => !picked.includes(each)));
  }
  return picked;
}

/** No file system has longer ones; for such a name nothing is compared. */
const LONGEST_NAME = 255;

/** By its id or its feature, by the beginning of either, or by a feature's number: the first of these that finds something. */
function pickOne(entries: readonly Spec[], name: string): { readonly specs: readonly Spec[] } | Failure {
  if (name.length > LONGEST_NAME)
    return { kind: "spec.unknown", name: `${name.slice(0, 40)}…`, known: entries.map(({ id }) => id), near: null };
  const exact = entries.filter(({ id }) => id === name);
  if (exact.length > 0) return { specs: exact };
  for (const called of name === "" ? [] : waysToCall(name)) {
    const candidates = [...new Set(entries.flatMap((spec) => called(spec) ?? []))];
    if (candidates.length > 1) return { kind: "spec.ambiguous", name, candidates };
    if (candidates.length === 1) return { specs: entries.filter((spec) => called(spec) !== null) };
  }
  const known = entries.map(({ id }) => id);
  return { kind: "spec.unknown", name, known, near: nearest(name, known) };
}

/** What of a spec a name means, if it means it; the most exact way first. */
function waysToCall(name: string): readonly ((spec: Spec) => string | null)[] {
  const numberOf = ({ feature }: Spec) => /^\d+/.exec(feature)?.[0] ?? "";
  const byNumber: readonly ((spec: Spec) => string | null)[] = [
    (spec) => (numberOf(spec) === name ? spec.feature : null),
    (spec) => (sameNumber(numberOf(spec), name) ? spec.feature : null),
  ];
  return [
    ({ feature }) => (feature === name ? feature : null),
    ...(/^\d+$/.test(name) ? byNumber : []),
    ({ feature }) => (feature.startsWith(name) ? feature : null),
    ({ id }) => (id.startsWith(name) ? id : null),
  ];
}

const sameNumber = (digits: string, name: string): boolean =>
  digits !== "" && digits.replace(/^0+/, "") === name.replace(/^0+/, "");
