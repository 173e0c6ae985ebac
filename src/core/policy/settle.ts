import type { PolicyContext } from "./context.ts";
import { approve, ask, type Judgement } from "./decision.ts";

/** One part's judgement under the level, the presets and the sandbox that hold here. */
export function settle(judgement: Judgement, { level, usual, sandbox }: PolicyContext): Judgement {
  const relaxed =
    sandbox && judgement.sandboxed
      ? approve(judgement.rule, "change", "The sandbox, which was proved at launch, keeps what this does inside.")
      : judgement;
  if (relaxed.decision !== "approve" || relaxed.does === undefined || relaxed.listed) return relaxed;
  if (!usual) return ask("preset.off", "Usual commands are not approved here: common_dev_allowlist is off.");
  if (level === "conservative" && relaxed.does === "change")
    return ask(
      "level.conservative",
      "It changes something, and the level `conservative` approves only reads and tests.",
    );
  return relaxed;
}
