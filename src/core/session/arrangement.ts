import type { Failure } from "../failure/failure.ts";
import type { Arrangement } from "./layout.ts";

/** What decides how a new session lies in tmux. */
export interface ArrangementFacts {
  /** As given on the command line; null where nothing was said. */
  readonly flags: { readonly headless: boolean; readonly supervisor: boolean | null };
  readonly config: { readonly broker: boolean; readonly supervisor: boolean | null };
  /** Null where there is no tmux. */
  readonly tmux: string | null;
  /** A person is there to be asked, and there is something to ask about. */
  readonly canAsk: boolean;
}

export type ArrangementChoice =
  | { readonly do: "take"; readonly arrangement: Arrangement | null; readonly supervisor: boolean | null }
  | { readonly do: "ask"; readonly otherwise: Arrangement }
  | { readonly do: "refuse"; readonly failure: Failure };

const OLDEST_TMUX = 3.2;

/**
 * Headless or in tmux; there with a supervisor if the command line says so, else if the config does, else if a person
 * who can be asked does. Where none of them says anything, without.
 */
export function chooseArrangement({ flags, config, tmux, canAsk }: ArrangementFacts): ArrangementChoice {
  const wanted = flags.supervisor ?? config.supervisor;
  const take = (arrangement: Arrangement | null): ArrangementChoice => ({
    do: "take",
    arrangement,
    supervisor: wanted,
  });
  if (flags.headless) return flags.supervisor ? refuse(HEADLESS) : take(null);
  if (tmux === null) return take(null);
  if (Number.parseFloat(tmux) < OLDEST_TMUX)
    return refuse({ kind: "tmux.old", version: tmux, needed: OLDEST_TMUX.toFixed(1) });
  if (wanted) return config.broker ? take("supervisor") : refuse(NO_BROKER);
  if (!config.broker) return take("plain");
  return wanted === null && canAsk ? { do: "ask", otherwise: "broker" } : take("broker");
}

const refuse = (failure: Failure): ArrangementChoice => ({ do: "refuse", failure });

const HEADLESS: Failure = {
  kind: "usage",
  message: "--supervisor wants a pane, and --headless has none.",
  hint: "Leave one of them out; `banksman console` talks to a headless session.",
};

const NO_BROKER: Failure = {
  kind: "usage",
  message: "A supervisor needs the broker, and the config has `[broker] enabled = false`.",
  hint: "Take that out, or start with --no-supervisor.",
};
