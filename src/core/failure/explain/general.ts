import type { ConfigProblem } from "../failure.ts";
import { type Explainers, oneLine, say } from "./words.ts";

export const GENERAL: Explainers<"config" | "told" | "usage" | "needs-confirmation" | "cancelled" | "internal"> = {
  "config.problems": (failure) =>
    say(
      failure.problems.map(configLine).join("\n"),
      "Correct the file; `banksman init --print` shows every key with its default.",
    ),
  told: (failure) => say(failure.message, failure.hint),
  usage: (failure) => say(failure.message, failure.hint),
  "needs-confirmation": (failure) =>
    say(
      `This would ${failure.what.charAt(0).toLowerCase()}${failure.what.slice(1)}.`,
      `Not a terminal, so it cannot ask: repeat with ${failure.flag}.`,
    ),
  cancelled: () => say("Cancelled.", "Nothing was changed."),
  internal: (failure) =>
    say(
      `This is a bug in banksman: ${oneLine(failure.detail)}`,
      "Please report it with the command you ran. Your files were not changed.",
    ),
};

const configLine = ({ file, line, message }: ConfigProblem) => `${file}${line === null ? "" : `:${line}`}: ${message}`;
