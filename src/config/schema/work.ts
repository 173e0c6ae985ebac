import * as z from "zod/mini";
import { knownCliIsNarrower, offIsNarrower, type Row, text, texts } from "./row.ts";

/** Where work comes from, and the project's documents. */
export const WORK_ROWS = [
  {
    key: "specs.type",
    type: z.enum(["openspec", "markdown", "speckit", "superpowers"]),
    example: "openspec",
    help: "The kind of specs. Default: the only kind that is here.",
    guarded: "harmless",
  },
  {
    key: "specs.dir",
    type: text,
    example: "specs",
    help: "The folder of the specs. Default: the usual one of their kind.",
    guarded: "harmless",
  },
  {
    key: "governance.constitution",
    type: z.string(),
    example: "docs/principles.md",
    help: "The document with the project's principles; every agent gets it with its brief. Default: Spec Kit's (.specify/memory/constitution.md), if it exists. Empty: none.",
    guarded: "harmless",
  },
  {
    key: "governance.adr",
    type: text,
    example: "docs/decisions",
    help: "The folder with architecture decision records; `banksman mcp` reads it.",
    guarded: "harmless",
  },
  {
    key: "governance.test_strategy",
    type: text,
    example: "docs/testing.md",
    help: "The document on how the project is tested.",
    guarded: "harmless",
  },
  {
    key: "governance.security",
    type: text,
    example: "SECURITY.md",
    help: "The document with the security checklist.",
    guarded: "harmless",
  },
  {
    key: "governance.dod",
    type: text,
    example: "docs/done.md",
    help: "The document that defines when work is done.",
    guarded: "harmless",
  },
  {
    key: "governance.readme",
    type: text,
    example: "README.md",
    help: "The project's readme. Default: README.md.",
    guarded: "harmless",
  },
  {
    key: "governance.docs",
    type: text,
    default: "docs",
    help: "The folder with the project's documents.",
    guarded: "harmless",
  },
  {
    key: "mcp.actions",
    type: z.boolean(),
    default: false,
    help: "Whether `banksman mcp` also has tools that act: tell, answer, retract, pause, resume. Otherwise it only reads.",
    guarded: offIsNarrower,
  },
  {
    key: "presets.*.branches",
    type: texts,
    example: ["feat/a", "feat/b"],
    help: "The branches that `start --preset <name>` starts.",
    guarded: "harmless",
  },
  {
    key: "presets.*.cli",
    type: text,
    example: "scripted",
    help: "The CLI of these agents.",
    guarded: knownCliIsNarrower,
  },
] as const satisfies readonly Row[];
