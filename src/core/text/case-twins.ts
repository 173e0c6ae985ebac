/**
 * Names that are added beside others from which they, or folders of theirs, differ only in upper and lower case: many
 * machines have room for one of the two. What stood there before is let be.
 */
export function findCaseTwins(
  present: readonly string[],
  added: readonly string[],
): (readonly [added: string, other: string])[] {
  const known = new Map<string, string>();
  const twins: (readonly [string, string])[] = [];
  const there = new Set(present.flatMap(withFolders));
  for (const name of there) known.set(name.toLowerCase(), name);
  for (const name of added)
    for (const each of withFolders(name)) {
      if (there.has(each)) continue;
      const other = known.get(each.toLowerCase());
      if (other !== undefined && other !== each) {
        twins.push([name, other]);
        break;
      }
      known.set(each.toLowerCase(), each);
    }
  return twins;
}

/** The name itself, and those of the folders above it. */
function withFolders(name: string): string[] {
  const names = [name];
  for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) names.push(name.slice(0, at));
  return names;
}
