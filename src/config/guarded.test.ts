import { describe, expect, it } from "vitest";
import { SCHEMA } from "./schema.ts";

/**
 * Every key there is, with what was decided for a repository's own value: whether it can change what is run, what is
 * asked or what is allowed. Whoever adds a key decides it here as well, and says why where it is not plain.
 */
const DECIDED: Readonly<Record<string, "guarded" | "harmless" | "users">> = {
  // Which CLI runs. One that we know runs under the user's own limits; the user's own ones may do anything.
  default_cli: "guarded",
  default_spec_cli: "guarded",
  "presets.*.cli": "guarded",
  "supervisor.cli": "guarded",
  "roles.*.cli": "guarded",
  // Names and looks.
  branch_prefix: "harmless",
  issue_branch_prefix: "harmless",
  mouse: "harmless",
  "clis.*.display_name": "harmless",
  "layout.border_affordances": "harmless",
  "presets.*.branches": "harmless",
  // How a program is run, and with that what it asks about.
  "clis.*.command": "guarded",
  "clis.*.protocol": "guarded",
  "clis.*.channel": "guarded",
  "clis.*.env": "guarded",
  "clis.*.resume_args": "guarded",
  "workers.*.mode": "guarded",
  "workers.*.command": "guarded",
  "roles.*.command": "guarded",
  "notify.command": "guarded",
  "worktree.setup": "guarded",
  // What gates run, and what a branch may leave out.
  "supervisor.test_command": "guarded",
  "supervisor.lint_command": "guarded",
  "supervisor.build_command": "guarded",
  "supervisor.fmt_check_command": "guarded",
  "supervisor.spec_validate_command": "guarded",
  "supervisor.doc_build_command": "guarded",
  "supervisor.security_audit_command": "guarded",
  "supervisor.gates": "guarded",
  "supervisor.gate_inputs": "guarded",
  "supervisor.may": "guarded",
  "supervisor.governance.docs": "guarded",
  "supervisor.require_review": "guarded",
  "verify.env": "guarded",
  "verify.paths.fmt_check": "guarded",
  "verify.paths.lint": "guarded",
  "verify.paths.build": "guarded",
  "verify.paths.test": "guarded",
  "verify.paths.spec_validate": "guarded",
  "verify.paths.doc_build": "guarded",
  "verify.paths.security_audit": "guarded",
  "verify.combinations": "guarded",
  "verify.jobs": "guarded",
  "verify.timeout_seconds": "guarded",
  "verify.retry": "guarded",
  // When they run, and whether alone.
  "verify.on_commit": "harmless",
  "verify.exclusive": "harmless",
  // What moves without a question, where to, and what is pushed.
  "land.mode": "guarded",
  "land.target": "guarded",
  "land.push": "guarded",
  // Both ways land tested trees only.
  "land.strategy": "harmless",
  "land.batch": "harmless",
  "land.regenerate": "guarded",
  // Any key of a worker makes it one, with the CLI of its name.
  "workers.*.capacity": "guarded",
  "workers.*.capabilities": "guarded",
  // Files that are handed out.
  "worktree.copy": "guarded",
  "worktree.symlink": "guarded",
  // Rewrites branches.
  "worktree.rebase": "guarded",
  // Read by the door that lets nothing out of the repository.
  "specs.type": "harmless",
  "specs.dir": "harmless",
  "governance.constitution": "harmless",
  "governance.adr": "harmless",
  "governance.test_strategy": "harmless",
  "governance.security": "harmless",
  "governance.dod": "harmless",
  "governance.readme": "harmless",
  "governance.docs": "harmless",
  // Where something is; the places are ours.
  "worktree.placement": "harmless",
  "worktree.port_base": "harmless",
  "broker.port": "harmless",
  // Limits.
  "clis.*.idle_timeout_seconds": "guarded",
  "worktree.setup_timeout_seconds": "guarded",
  "roles.*.timeout_seconds": "guarded",
  "budget.tokens_per_run": "guarded",
  "budget.cost_per_run": "guarded",
  "budget.minutes_per_run": "guarded",
  "broker.rate_per_second": "guarded",
  "broker.rate_burst": "guarded",
  "broker.keep_messages": "guarded",
  "broker.keep_days": "guarded",
  "epic.window": "guarded",
  "epic.recurring": "guarded",
  "epic.stalled_workers": "guarded",
  "epic.stalled_hours": "guarded",
  "epic.react_halts": "guarded",
  "epic.attempts": "guarded",
  "epic.rows": "guarded",
  "epic.children": "guarded",
  "epic.hours": "guarded",
  "epic.files": "guarded",
  "epic.loop_minutes": "guarded",
  // What a person is asked, and what is looked after.
  "supervisor.agent_approval": "guarded",
  "supervisor.enabled": "guarded",
  "supervisor.auto_approve.enabled": "guarded",
  "supervisor.auto_approve.approval_level": "guarded",
  "supervisor.auto_approve.safe_commands": "guarded",
  "supervisor.common_dev_allowlist.enabled": "guarded",
  "supervisor.common_dev_allowlist.stacks": "guarded",
  "supervisor.common_dev_allowlist.extra": "guarded",
  "supervisor.conflict.window_seconds": "guarded",
  "supervisor.conflict.warn_on_intent_overlap": "guarded",
  "supervisor.conflict.escalate_on_violation": "guarded",
  "supervisor.conflict.settle_by_trial_merge": "guarded",
  "supervisor.verify_on_commit_nudge": "guarded",
  "mcp.actions": "guarded",
  // Says less, or writes into the repository itself. A repository may switch a part off.
  "broker.enabled": "harmless",
  "broker.watcher.republish_working_ttl_seconds": "harmless",
  "supervisor.learnings.enabled": "harmless",
  // Speaks of repositories.
  "trust.repositories": "users",
};

it("every key is decided on, and as it is decided here", () => {
  const found = SCHEMA.map(({ key, guarded }) => [key, typeof guarded === "function" ? "guarded" : guarded]);
  expect(Object.fromEntries(found)).toEqual(DECIDED);
});

describe("a repository's value", () => {
  const says = (key: string, value: unknown, without: unknown, users: readonly string[] = []) => {
    const row = SCHEMA.find((each) => each.key === key.replace(/^(clis|workers|roles|presets)\.[^.]+\./, "$1.*."));
    if (typeof row?.guarded !== "function") throw new Error(`${key} is not guarded`);
    const usersHave = (other: string) => users.some((each) => each === other || each.startsWith(`${other}.`));
    return row.guarded(value, without ?? row.defaultOf?.(key) ?? row.default, { key, usersHave });
  };

  it.each<readonly [string, unknown, unknown, string]>([
    ["clis.pi.protocol", "plain", undefined, "widens"],
    ["clis.claude.channel", "json", undefined, "widens"],
    ["clis.pi.idle_timeout_seconds", 60, undefined, "narrows"],
    ["clis.pi.idle_timeout_seconds", 6_000, undefined, "widens"],
    ["supervisor.conflict.escalate_on_violation", false, undefined, "widens"],
    ["supervisor.conflict.escalate_on_violation", true, false, "narrows"],
    ["supervisor.conflict.settle_by_trial_merge", false, undefined, "narrows"],
    ["supervisor.conflict.window_seconds", 3_600, undefined, "widens"],
    ["supervisor.conflict.window_seconds", 1, undefined, "narrows"],
    ["supervisor.enabled", false, undefined, "narrows"],
    ["supervisor.enabled", false, true, "widens"],
    ["supervisor.enabled", true, undefined, "narrows"],
    ["supervisor.auto_approve.enabled", false, undefined, "narrows"],
    ["supervisor.auto_approve.enabled", true, false, "widens"],
    ["supervisor.auto_approve.approval_level", "conservative", undefined, "narrows"],
    ["supervisor.auto_approve.approval_level", "safe", "conservative", "widens"],
    ["supervisor.auto_approve.safe_commands", ["just x"], undefined, "widens"],
    ["supervisor.common_dev_allowlist.extra", ["just x"], undefined, "widens"],
    ["supervisor.common_dev_allowlist.extra", ["just x"], ["just x", "just y"], "narrows"],
    ["supervisor.common_dev_allowlist.enabled", true, false, "widens"],
    ["supervisor.common_dev_allowlist.stacks", ["rust"], undefined, "narrows"],
    ["supervisor.common_dev_allowlist.stacks", ["rust"], ["node"], "widens"],
    ["supervisor.common_dev_allowlist.stacks", "auto", ["node"], "widens"],
    ["epic.attempts", 10, undefined, "widens"],
    ["epic.window", 2, undefined, "widens"],
    ["epic.window", 16, undefined, "narrows"],
    ["epic.loop_minutes", 1, undefined, "widens"],
    ["mcp.actions", true, undefined, "widens"],
  ])("%s = %j where %j holds %s", (key, value, without, verdict) => {
    expect(says(key, value, without)).toBe(verdict);
  });

  it("may name a CLI that we know, as we know it", () => {
    expect([says("default_cli", "claude", undefined), says("presets.x.cli", "scripted", undefined)]).toEqual([
      "narrows",
      "narrows",
    ]);
    expect(says("default_cli", "claude", undefined, ["clis.claude.env"])).toBe("narrows");
    expect(says("default_cli", "claude", undefined, ["clis.claude.command"])).toBe("widens");
    expect(says("default_cli", "yolo", "claude", ["clis.yolo.command"])).toBe("widens");
  });

  it("makes no worker of a CLI that only its user has", () => {
    expect(says("workers.yolo.capabilities", ["code"], undefined, ["clis.yolo.command"])).toBe("widens");
    expect(says("workers.claude.capabilities", ["code"], undefined)).toBe("narrows");
    expect(says("workers.yolo.capacity", 1, undefined, ["workers.yolo.capacity"])).toBe("narrows");
  });
});
