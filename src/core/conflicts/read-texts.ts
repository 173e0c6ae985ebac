/** A conflict as one of its two agents was told of it. */
export interface ToldConflict {
  readonly shape: "forward" | "in-flight" | "ownership" | "predicted";
  /** The other one; null where the text does not name one in a way we know. */
  readonly other: string | null;
  /** Where, as the text has it; empty where it does not say. */
  readonly where: string;
}

const SHAPES = [
  ["forward", /^\[conflict-detector\] forward conflict: /],
  ["in-flight", /^\[conflict-detector\] in-flight conflict: /],
  ["ownership", /^\[conflict-detector\] ownership violation: /],
  ["predicted", /^\[conflict-detector\] predicted conflict: /],
] as const;

/** That a conflict is settled, or goes beyond what was listed. */
const NO_NEWS = /conflict: (shared file, additive|and \d+ more)|merges without a conflict as it is now/;

const ID = "([a-z0-9_-]{1,64})";
const PLACES: readonly (readonly [RegExp, other: number, where: number])[] = [
  [new RegExp(`^${ID} also declares intent over (.+)$`, "s"), 1, 2],
  // As git-paw says it, and earlier versions of ours.
  [new RegExp(`^agent ${ID} also intends to modify: (.+)$`, "s"), 1, 2],
  [new RegExp(`^file (.+) is being modified by both you and ${ID}$`, "s"), 2, 1],
  [new RegExp(`^file (.+) is being modified by you, and ${ID} plans to$`, "s"), 2, 1],
  [new RegExp(`^file (.+) is being modified by ${ID}, and you plan to$`, "s"), 2, 1],
  [new RegExp(`^you edited (.+), which belongs to agent ${ID}'s spec$`, "s"), 2, 1],
  [
    new RegExp(
      `^your work would not merge with agent ${ID}'s work as it is now: (.+?)(?:; (?:you were|\\S+ was) there first)?$`,
      "s",
    ),
    1,
    2,
  ],
  [new RegExp(`^you edited (.+) but agent ${ID} declared intent over it$`, "s"), 2, 1],
];

/** Every text of the detector begins with its name (texts.ts); whatever does not is somebody else's. */
export const isDetectors = (text: string): boolean => text.startsWith("[conflict-detector]");

/** What the detector told somebody, read back; null for what tells of no new conflict. */
export function readConflict(text: string): ToldConflict | null {
  const found = SHAPES.find(([, start]) => start.test(text));
  if (found === undefined || NO_NEWS.test(text)) return null;
  const [shape, start] = found;
  const rest = text.replace(start, "");
  for (const [pattern, other, where] of PLACES) {
    const match = pattern.exec(rest);
    if (match !== null) return { shape, other: match[other] ?? null, where: match[where] ?? "" };
  }
  return { shape, other: null, where: rest.split("\n")[0] ?? "" };
}
