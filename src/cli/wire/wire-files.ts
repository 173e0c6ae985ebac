import { systemFiles } from "../../adapters/system/files.ts";
import type { Files } from "../../ports/files.ts";

/** The files of this machine, for commands that need nothing else. */
export const wireFiles = (): Files => systemFiles;
