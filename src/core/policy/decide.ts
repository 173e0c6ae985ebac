import { parse } from "unbash";
import type { PolicyContext } from "./context.ts";
import { ask, type Decision } from "./decision.ts";
import { refuseText } from "./refuse-text.ts";
import { countAssignments } from "./shell/count-assignments.ts";
import { judgeScript } from "./shell/judge-script.ts";
import { Scope } from "./shell/scope.ts";
import { TooMuch } from "./shell/too-much.ts";

/** Whether a shell command of an agent may run: approve it, ask a person, or deny it. What is not understood is asked. */
export function decide(command: string, context: PolicyContext): Decision {
  if (context.level === "off") return only(ask("level.off", "Nothing is answered here: approval_level is off."));
  const refused = refuseText(command);
  if (refused !== null) return only(refused);
  try {
    const script = parse(command);
    const judged = judgeScript(script, Scope.of(context, countAssignments(script)));
    return only(judged ?? ask("input.empty", "There is no command."));
  } catch (error) {
    if (error instanceof TooMuch) return only(ask("input.many", "It holds more commands or words than can be judged."));
    // The parser or the walk met something that it does not know: law 5, unknown is never yes.
    return only(ask("shell.syntax", "It cannot be parsed, so nobody can say what it would run."));
  }
}

const only = ({ decision, rule, why }: Decision): Decision => ({ decision, rule, why });
