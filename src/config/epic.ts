import { DEFAULT_POLICY, HOUR, type Policy } from "../core/epic/decide/policy.ts";
import { DEFAULT_WORKERS, type Registry, type Worker } from "../core/epic/decide/workers.ts";

/** What epics take from the configuration. */
export interface EpicSettings {
  readonly policy: Policy;
  readonly loopMinutes: number;
  /** Who answers, by role; a role that is not here is a person's. */
  readonly roles: ReadonlyMap<string, RoleSettings>;
  readonly notify: readonly string[] | null;
}

/** A command, or a coding CLI by name. */
export interface RoleSettings {
  readonly command: readonly string[] | null;
  readonly cli: string | null;
  readonly timeoutSeconds: number;
}

/** Names the seed has for two of the roles. */
const ALIASES: Readonly<Record<string, string>> = { pauli: "planner", marsha: "verifier" };

export function toEpicSettings(values: ReadonlyMap<string, unknown>, standard: (key: string) => unknown): EpicSettings {
  const own = (key: string) => values.get(key) ?? standard(key);
  const number = (name: string) => own(`epic.${name}`) as number;
  return {
    policy: {
      ...DEFAULT_POLICY,
      window: number("window"),
      recurring: number("recurring"),
      stalledWorkers: number("stalled_workers"),
      stalledMs: number("stalled_hours") * HOUR,
      reactHalts: number("react_halts"),
      attempts: number("attempts"),
      rows: number("rows"),
      children: number("children"),
      hours: number("hours"),
      files: number("files"),
      workers: toWorkers(values, own),
    },
    loopMinutes: number("loop_minutes"),
    roles: new Map(
      namesIn(values, "roles").flatMap((name) => {
        const command = (values.get(`roles.${name}.command`) as string[] | undefined) ?? null;
        const cli = (values.get(`roles.${name}.cli`) as string | undefined) ?? null;
        const timeoutSeconds = own(`roles.${name}.timeout_seconds`) as number;
        return command === null && cli === null
          ? []
          : [[ALIASES[name] ?? name, { command, cli, timeoutSeconds }] as const];
      }),
    ),
    notify: (values.get("notify.command") as string[] | undefined) ?? null,
  };
}

/** Those of the config over the built-in ones; one that is only changed in part keeps the rest. */
function toWorkers(values: ReadonlyMap<string, unknown>, own: (key: string) => unknown): Registry {
  const workers = new Map(DEFAULT_WORKERS);
  for (const name of namesIn(values, "workers")) {
    const before = workers.get(name);
    const field = (key: string) => values.get(`workers.${name}.${key}`);
    const command = (field("command") as string[] | undefined) ?? before?.command ?? [];
    workers.set(name, {
      name,
      capabilities: (field("capabilities") as string[] | undefined) ?? before?.capabilities ?? [],
      capacity:
        (field("capacity") as number | undefined) ?? before?.capacity ?? (own(`workers.${name}.capacity`) as number),
      mode: (field("mode") as Worker["mode"] | undefined) ?? (command.length > 0 ? "command" : "session"),
      command,
    });
  }
  return workers;
}

const namesIn = (values: ReadonlyMap<string, unknown>, section: string): string[] => [
  ...new Set([...values.keys()].flatMap((key) => (key.startsWith(`${section}.`) ? [key.split(".")[1] ?? ""] : []))),
];
