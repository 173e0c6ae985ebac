import type { Epic, Item } from "../file/epic.ts";

/** What was merged: a branch or the address of its pull request, and that address where both are known. */
export interface Merged {
  readonly branch: string;
  readonly url: string;
}

/** The items that came in with it: whose dispatch had that branch, or that are reviewed there. Nothing names none. */
export function mergedItems({ id: epic, items }: Epic, { branch, url }: Merged): readonly Item[] {
  const [, ofEpic, ofItem] = /^epic\/([^/]+)\/(.+)\.\d+\.\d+$/.exec(branch) ?? [];
  const places = [branch, branch === "" ? "" : `branch ${branch}`, url].filter((place) => place !== "");
  return items.filter(({ id, surface }) => (ofEpic === epic && ofItem === id) || places.includes(surface));
}
