/** One path an agent will touch. Without regions it claims the whole file: silence must never hide a collision. */
export type Claim = string | { readonly path: string; readonly regions: readonly Region[] };

export type Region =
  | { readonly kind: "function" | "class"; readonly name: string }
  | { readonly kind: "block"; readonly anchor: string }
  | { readonly kind: "range"; readonly start_line: number; readonly end_line: number };

/** What an agent says it will do. */
export interface IntentPayload {
  readonly files: readonly Claim[];
  readonly summary: string;
  readonly valid_for_seconds: number;
}
