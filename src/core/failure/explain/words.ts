import { printable } from "../../text/printable.ts";
import type { Failure } from "../failure.ts";

/** What happened, and what to do: two sentences, for people and for programs. */
export interface Explanation {
  readonly message: string;
  readonly hint: string;
}

/** The explanations of one family: of every failure whose kind begins with one of these words. */
export type Explainers<Family extends string> = {
  readonly [Kind in Failure["kind"] as Kind extends Family | `${Family}.${string}` ? Kind : never]: (
    failure: Extract<Failure, { readonly kind: Kind }>,
  ) => Explanation;
};

export const say = (message: string, hint: string): Explanation => ({ message, hint });

export const quote = (text: string): string => `\`${printable(text)}\``;

export const oneLine = (text: string): string => printable(text.trim().split("\n").slice(0, 3).join(" · "));
