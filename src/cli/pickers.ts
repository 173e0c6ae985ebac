import { autocompleteMultiselect, confirm, isCancel, select, text } from "@clack/prompts";
import { Failed } from "../core/failure.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** Several of many: typing filters, Tab chooses. Nothing chosen is the same as walking away. */
export async function pickSeveral(message: string, choices: readonly Choice[]): Promise<readonly string[]> {
  const chosen = await autocompleteMultiselect<string>({ message, options: choices.map(shown), required: true });
  if (isCancel(chosen) || chosen.length === 0) throw new Failed({ kind: "cancelled" });
  return chosen;
}

export async function pickOne(message: string, choices: readonly Choice[], first?: string): Promise<string> {
  const options = { message, options: choices.map(shown), ...(first !== undefined && { initialValue: first }) };
  const chosen = await select<string>(options);
  if (isCancel(chosen)) throw new Failed({ kind: "cancelled" });
  return chosen;
}

/** A line of text, with a proposal that can be edited. */
export async function typeText(message: string, proposal: string): Promise<string> {
  const typed = await text({ message, initialValue: proposal });
  if (isCancel(typed)) throw new Failed({ kind: "cancelled" });
  return (typed ?? "").trim();
}

/** No is the default; walking away is no answer. */
export async function pickYes(message: string): Promise<boolean> {
  const answer = await confirm({ message, initialValue: false });
  if (isCancel(answer)) throw new Failed({ kind: "cancelled" });
  return answer;
}

const shown = ({ value, label, hint }: Choice) => ({ value, label, ...(hint !== undefined && { hint }) });
