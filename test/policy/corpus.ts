import { FILES } from "./files.ts";
import { GIT } from "./git.ts";
import type { Row } from "./row.ts";
import { RUNNERS } from "./runners.ts";
import { SHELL } from "./shell.ts";

/** Every command that is known to have been judged wrongly somewhere, and what agents run all day. */
export const CORPUS: readonly Row[] = [...GIT, ...FILES, ...RUNNERS, ...SHELL];
