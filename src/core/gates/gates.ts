import type { FindingTag } from "../messages/finding.ts";

/** The gates a project can have, as the config names their commands, in the order they are run in. */
export const GATES = ["fmt_check", "lint", "build", "test", "spec_validate", "doc_build", "security_audit"] as const;
export type Gate = (typeof GATES)[number];

/** The five groups. The second has no command of its own: it compares with the base. */
export const GROUPS = ["testing", "regression", "spec audit", "doc audit", "security audit"] as const;
export type Group = (typeof GROUPS)[number] & FindingTag;

const GROUP_OF: Readonly<Record<Gate, Group>> = {
  fmt_check: "testing",
  lint: "testing",
  build: "testing",
  test: "testing",
  spec_validate: "spec audit",
  doc_build: "doc audit",
  security_audit: "security audit",
};

export const groupOf = (gate: Gate): Group => GROUP_OF[gate];

/** The key of a gate's command. */
export const gateKey = (gate: Gate): `supervisor.${Gate}_command` => `supervisor.${gate}_command`;

/** Stands wherever a command would. */
export const NOT_CONFIGURED = "(not configured)";
