/** What is said to the watching process, one JSON line each. */
export type Ask =
  | { readonly do: "watch"; readonly id: number; readonly folder: string; readonly ignore: readonly string[] }
  | { readonly do: "end"; readonly id: number }
  | { readonly do: "ping" };

/** And what it says. */
export type Word =
  | { readonly say: "watching" | "ended"; readonly id: number }
  | { readonly say: "refused" | "lost"; readonly id: number; readonly detail: string }
  | { readonly say: "changed"; readonly id: number; readonly paths: readonly string[] }
  | { readonly say: "pong" };
