import type { Corrupt, Epic } from "./epic.ts";
import { parseWith } from "./parse-with.ts";
import { readPlainFront } from "./plain-front.ts";
import { readYamlFront } from "./yaml-front.ts";

/** Reads an epic's file. What cannot be understood for certain is refused: then nobody writes to it. */
export const parseEpic = (text: string, called = ""): Epic | Corrupt =>
  parseWith(readPlainFront(text) ?? readYamlFront(text), text, called);
