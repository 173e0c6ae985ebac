import { GATE_INPUTS } from "../core/gates/gate-plan.ts";
import type { GateSettings } from "../core/gates/gate-settings.ts";
import { GATES, type Gate, gateKey } from "../core/gates/gates.ts";
import type { LandSettings } from "../core/landing/land-settings.ts";
import type { ConfigValues } from "./values.ts";

/** Guarded keys that decide what gates run. */
export const isGateKey = (key: string): boolean =>
  GATES.some((gate) => gateKey(gate) === key) ||
  key === "supervisor.gates" ||
  key === "supervisor.gate_inputs" ||
  key === "supervisor.require_review" ||
  key === "supervisor.governance.docs" ||
  key === "land.regenerate" ||
  key.startsWith("roles.reviewer.") ||
  key.startsWith("verify.");

/** The part of the configuration that gates are run by. `setUp` is what makes a checkout ready. */
export function toGates(
  values: ConfigValues,
  setUp: string | null,
  where: Pick<GateSettings, "untrusted" | "from" | "notes">,
): GateSettings {
  const commands = GATES.flatMap((gate) => {
    const command = values.get(gateKey(gate))?.trim() ?? "";
    return command === "" ? [] : [{ gate, command }];
  });
  return {
    plan: {
      commands,
      none: commands.length === 0 && values.get("supervisor.gates") === "none",
      timeoutSeconds: values.get("verify.timeout_seconds"),
      env: values.get("verify.env"),
      exclusive: values.get("verify.exclusive") as readonly Gate[],
      inputs: values.get("supervisor.gate_inputs") ?? GATE_INPUTS,
      paths: Object.fromEntries(
        GATES.flatMap((gate) => {
          const globs = values.get(`verify.paths.${gate}`);
          return globs === null ? [] : [[gate, globs]];
        }),
      ),
      setUp,
      regenerate: values.get("land.regenerate"),
      review: {
        documents: documentsIn(values),
        required: values.get("supervisor.require_review"),
        reviewer: values.hasBelow("roles.reviewer"),
      },
    },
    jobs: values.get("verify.jobs"),
    retry: values.get("verify.retry"),
    onCommit: values.get("verify.on_commit"),
    combinations: values.get("verify.combinations"),
    ...where,
  };
}

/** Named for this, or named as what they are: a document that others only find is not held against anybody. */
const documentsIn = (values: ConfigValues): string[] => [
  ...new Set([
    ...values.get("supervisor.governance.docs"),
    ...(["adr", "dod", "security", "test_strategy", "constitution"] as const).flatMap(
      (name) => values.get(`governance.${name}`) ?? [],
    ),
  ]),
];

export const toLand = (values: ConfigValues): LandSettings => ({
  mode: values.get("land.mode"),
  strategy: values.get("land.strategy"),
  target: values.get("land.target"),
  batch: values.get("land.batch"),
  push: values.get("land.push"),
  retry: values.get("verify.retry"),
});
