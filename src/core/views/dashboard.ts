/** Kinds of messages that a digit shows alone, in the seed's order. */
export const CHIPS = [
  "status",
  "artifact",
  "blocked",
  "verified",
  "feedback",
  "question",
  "intent",
  "verify-now",
  "advanced-main",
] as const;

/** What the dashboard shows beside the session itself. */
export interface Dashboard {
  /** Kinds of messages that are shown; all of them when it is empty. */
  readonly shown: readonly string[];
  readonly log: boolean;
  /** The message that is selected, counted from the newest; null follows the newest. */
  readonly selected: number | null;
  readonly details: boolean;
  /** What is being typed: `tell <agent> <text>` or `answer <question> <text>`. */
  readonly typing: string | null;
}

export const OPENED: Dashboard = { shown: [], log: true, selected: null, details: false, typing: null };

export interface Key {
  readonly text: string;
  /** `paste`: the text was pasted, and is no command. */
  readonly name?: "up" | "down" | "enter" | "escape" | "backspace" | "paste";
}

export type Pressed =
  | { readonly do: "show"; readonly dashboard: Dashboard }
  | { readonly do: "quit" }
  | { readonly do: "send"; readonly line: string; readonly dashboard: Dashboard };

/** What a key does. `count` is how many messages can be selected. */
export function press(dashboard: Dashboard, key: Key, count: number): Pressed {
  if (dashboard.typing !== null) return type(dashboard, dashboard.typing, key);
  const show = (change: Partial<Dashboard>): Pressed => ({ do: "show", dashboard: { ...dashboard, ...change } });
  if (key.name === "paste") return show({});
  if (key.name === "escape") return show({ details: false, selected: null });
  if (key.name === "enter")
    return show({ details: !dashboard.details && count > 0, selected: dashboard.selected ?? 0 });
  if (key.name === "up" || key.text === "k")
    return show({ selected: Math.min(count - 1, (dashboard.selected ?? -1) + 1) });
  if (key.name === "down" || key.text === "j")
    return show({ selected: dashboard.selected === null || dashboard.selected === 0 ? null : dashboard.selected - 1 });
  const chip = CHIPS[Number(key.text) - 1];
  if (chip !== undefined) return show({ shown: toggled(dashboard.shown, chip), selected: null, details: false });
  switch (key.text) {
    case "q":
      return { do: "quit" };
    case "l":
      return show({ log: !dashboard.log });
    case "a":
      return show({ shown: [], selected: null });
    case "t":
      return show({ typing: "tell " });
    case "r":
      return show({ typing: "answer " });
    default:
      return show({});
  }
}

/** The first one narrows to itself, further ones add themselves; the last one that goes shows all again. */
const toggled = (shown: readonly string[], chip: string): readonly string[] =>
  shown.includes(chip) ? shown.filter((each) => each !== chip) : [...shown, chip];

function type(dashboard: Dashboard, typing: string, key: Key): Pressed {
  const show = (next: string | null): Pressed => ({ do: "show", dashboard: { ...dashboard, typing: next } });
  if (key.name === "escape") return show(null);
  if (key.name === "backspace") return show(typing.slice(0, -1));
  if (key.name === "enter") return { do: "send", line: `/${typing.trim()}`, dashboard: { ...dashboard, typing: null } };
  return show(key.name === undefined || key.name === "paste" ? typing + key.text : typing);
}
