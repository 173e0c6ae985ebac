import { BANKSMAN } from "./banksman.ts";
import { BUILTINS } from "./builtins.ts";
import { CHANGING } from "./changing-files.ts";
import { DOTNET } from "./dotnet.ts";
import type { Programs } from "./entry.ts";
import { GIT } from "./git/git.ts";
import { GO } from "./go.ts";
import { JAVA } from "./java.ts";
import { MAKE } from "./make.ts";
import { NETWORK } from "./network.ts";
import { NODE } from "./node/node.ts";
import { PROCESSES } from "./processes.ts";
import { PYTHON } from "./python.ts";
import { READING } from "./reading-files.ts";
import { RUST } from "./rust.ts";
import { SEARCHING } from "./searching.ts";
import { SHELLS } from "./shells.ts";

/** Every program that banksman knows, by its name. */
export const PROGRAMS: Programs = {
  ...BUILTINS,
  ...READING,
  ...SEARCHING,
  ...CHANGING,
  ...GIT,
  ...NODE,
  ...PYTHON,
  ...RUST,
  ...GO,
  ...JAVA,
  ...DOTNET,
  ...MAKE,
  ...NETWORK,
  ...BANKSMAN,
  ...PROCESSES,
  ...SHELLS,
};
