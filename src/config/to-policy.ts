import type { PolicySettings } from "../core/policy/settings.ts";
import { splitWords } from "../core/text/words.ts";
import type { ConfigValues } from "./values.ts";

/** What the configuration says of agents' commands. */
export function toPolicy(values: ConfigValues): PolicySettings {
  const listed = [
    ...values.get("supervisor.common_dev_allowlist.extra"),
    ...values.get("supervisor.auto_approve.safe_commands"),
  ];
  return {
    level: values.get("supervisor.auto_approve.enabled") ? values.get("supervisor.auto_approve.approval_level") : "off",
    usual: values.get("supervisor.common_dev_allowlist.enabled"),
    stacks: values.get("supervisor.common_dev_allowlist.stacks"),
    extra: listed.map(splitWords),
  };
}
