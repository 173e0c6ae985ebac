import type { Screen } from "../../src/core/screens/screen.ts";

/** A screen in three words, as `golden.md` has them. `?` after a prompt's kind: not complete. */
export function sketch({ state, box, prompt }: Screen): [state: string, box: string, prompt: string] {
  if (prompt === null) return [state, JSON.stringify(box), "–"];
  const { kind, complete, command, path, options, allow, deny } = prompt;
  const what = command ?? path;
  const about = what === undefined ? "" : ` ${JSON.stringify(what.length > 90 ? `${what.slice(0, 90)}…` : what)}`;
  const keys = options.map(({ key, grants }) => `${key}=${grants}`).join(" ");
  return [
    state,
    JSON.stringify(box),
    `${kind}${complete ? "" : "?"}${about} [${keys}] allow ${allow ?? "–"}, deny ${deny ?? "–"}`,
  ];
}
