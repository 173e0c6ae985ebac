import { readInside, readOwn } from "../../adapters/system/inside.ts";
import type { ConfigPlace } from "../../config/load.ts";

/** More than any config is. */
const MOST_BYTES = 1024 * 1024;

/** How configuration is read: the repository's by the one door, the user's as it is. */
export const CONFIG_READERS: Pick<ConfigPlace, "readInside" | "readOwn"> = {
  readInside: (root, name) => readInside(root, name, MOST_BYTES),
  readOwn: (path) => readOwn(path, MOST_BYTES),
};
