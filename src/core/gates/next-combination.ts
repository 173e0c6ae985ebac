/** What is known of the work of some agents together. `conflict`: it cannot be put together. */
export type Known = "green" | "red" | "conflict" | "unknown";

/** The agents whose work is red together, though the work of each is green. */
export interface RedTogether {
  readonly agents: readonly string[];
}

export interface Found {
  /** What to test next; null where nothing is left. */
  readonly next: readonly string[] | null;
  readonly red: readonly RedTogether[];
}

/**
 * Which combination to test next. All of it comes first: if that is green, everything is. If not, whoever is red alone is
 * left out, and among the others bisection finds who turns it red, and with whom: about 2 log n runs for a pair.
 */
export function nextCombination(members: readonly string[], known: (agents: readonly string[]) => Known): Found {
  const search = new Search(known);
  const next = search.all(members);
  return { next, red: search.red };
}

class Search {
  readonly red: RedTogether[] = [];

  constructor(private readonly known: (agents: readonly string[]) => Known) {}

  all(members: readonly string[]): readonly string[] | null {
    if (members.length < 2) return null;
    const whole = this.known(members);
    if (whole !== "red") return whole === "unknown" ? members : null;
    const alone = members.map((each) => ({ each, is: this.known([each]) }));
    const unknown = alone.find(({ is }) => is === "unknown");
    if (unknown !== undefined) return [unknown.each];
    const good = alone.filter(({ is }) => is === "green").map(({ each }) => each);
    return good.length < members.length ? this.all(good) : this.among(good);
  }

  /** Red together, green alone. What is found is left out, and the others are looked at again. */
  private among(members: readonly string[]): readonly string[] | null {
    const first = this.shortest(members);
    if ("test" in first) return first.test;
    const [culprit, ...others] = [...first.red].reverse() as [string, ...string[]];
    const second = this.shortest([culprit, ...others.reverse()]);
    if ("test" in second) return second.test;
    const pair = [second.red.at(-1) as string, culprit];
    const is = second.red.length === 2 ? "red" : this.known(pair);
    if (is === "unknown") return pair;
    this.red.push({ agents: is === "red" ? pair : second.red });
    return this.all(members.filter((each) => each !== culprit));
  }

  /** The shortest red beginning of a list that is red as a whole, or what has to be tested to know it. */
  private shortest(
    list: readonly string[],
  ): { readonly test: readonly string[] } | { readonly red: readonly string[] } {
    // One alone is green; all of them are red.
    let [green, red] = [1, list.length];
    while (red - green > 1) {
      const middle = Math.floor((green + red) / 2);
      const is = this.known(list.slice(0, middle));
      if (is === "unknown") return { test: list.slice(0, middle) };
      if (is === "red") red = middle;
      else green = middle;
    }
    return { red: list.slice(0, red) };
  }
}
