import { lstatSync, readlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** As many links as the kernel follows. */
const MOST_LINKS = 40;

/**
 * Where an absolute path leads, links followed one part after the other, as the kernel does: `..` counts from where a link
 * led to. What is not there is where its name says; a link to what is not there is followed, since a write would be, too.
 */
export function realPath(path: string, links = MOST_LINKS): string {
  let real = "/";
  let left = links;
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      real = dirname(real);
      continue;
    }
    const next = join(real, part);
    const target = linkAt(next);
    if (target !== null && left-- <= 0) return "/";
    real = target === null ? next : realPath(resolve(real, target) === target ? target : `${real}/${target}`, left);
  }
  return real;
}

function linkAt(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : null;
  } catch {
    return null;
  }
}
