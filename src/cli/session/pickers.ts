import { autocompleteMultiselect, confirm, isCancel, select, text } from "@clack/prompts";
import { Failed } from "../../core/failure/failed.ts";

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** Several of many: typing filters, Tab chooses; `always` is shown whatever is typed. Nothing chosen is walking away. */
export async function pickSeveral(
  message: string,
  choices: readonly Choice[],
  always?: Choice,
): Promise<readonly string[]> {
  const options = [...choices, ...(always === undefined ? [] : [always])].map(shown);
  const filter = (typed: string, { value, label }: { value: string; label?: string }) =>
    value === always?.value || (label ?? value).toLowerCase().includes(typed.toLowerCase());
  const chosen = await autocompleteMultiselect<string>({ message, options, filter, required: true });
  if (isCancel(chosen) || chosen.length === 0) throw new Failed({ kind: "cancelled" });
  return chosen;
}

export async function pickOne(message: string, choices: readonly Choice[], first?: string): Promise<string> {
  const options = { message, options: choices.map(shown), ...(first !== undefined && { initialValue: first }) };
  const chosen = await select<string>(options);
  if (isCancel(chosen)) throw new Failed({ kind: "cancelled" });
  return chosen;
}

/** A line of text, with a proposal that can be edited; asked again while there is a problem with it. */
export async function typeText(
  message: string,
  proposal: string,
  problem: (typed: string) => string | null = () => null,
): Promise<string> {
  const validate = (typed: string | undefined) => problem((typed ?? "").trim()) ?? undefined;
  const typed = await text({ message, initialValue: proposal, validate });
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
