import { type Explainers, quote, say } from "./words.ts";

export const EPIC: Explainers<"epic"> = {
  "epic.unknown": (failure) =>
    say(
      `There is no epic ${quote(failure.epic)} (${failure.looked}).`,
      failure.near === null
        ? `Make it: \`banksman epic new <id> --title "…"\`, or give the path of a file.`
        : `Did you mean ${failure.near}?`,
    ),
  "epic.exists": (failure) =>
    say(`${failure.path} already exists, and was not changed.`, "Choose another id, or another --file."),
  "epic.corrupt": (failure) =>
    say(
      `${failure.path} was not touched: ${failure.why}.`,
      "Correct it by hand; docs/guides/epic.md shows the format.",
    ),
  "epic.moved": (failure) =>
    say(`${failure.path} was changed by another program meanwhile, so banksman did not write it.`, "Try again."),
};
