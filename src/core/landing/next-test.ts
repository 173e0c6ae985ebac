/** What is known of the first `length` branches of a train, put onto each other. */
export type Tested = "green" | "red" | "unknown" | "testing";

export type NextTest =
  /** All of them are green: they land together. */
  | { readonly do: "land"; readonly length: number }
  /** The last of these is what turns a green train red; what is before it can land. */
  | { readonly do: "blame"; readonly length: number }
  /** These lengths are to be tested, the first one first. */
  | { readonly do: "test"; readonly lengths: readonly number[] };

/**
 * How far a train of `length` branches is: derived from what is known of its beginnings, nothing is remembered. The whole
 * is tried first; if that is red, its halves, until one branch is left between a green beginning and a red one. `jobs`
 * beginnings are tested at the same time: further ones are those that would be asked for next.
 */
export function nextTest(length: number, tested: (length: number) => Tested, jobs: number): NextTest {
  if (tested(length) === "green") return { do: "land", length };
  const { green, red } = bounds(length, tested);
  if (red !== null && red - green === 1) return { do: "blame", length: red };
  const lengths: number[] = [];
  const asked = (at: number) => lengths.includes(at);
  // As if each test that is asked for had come back red: that is when the next one is needed.
  let high = red ?? length + 1;
  if (red === null) {
    lengths.push(length);
    high = length;
  }
  for (let low = green; lengths.length < jobs && high - low > 1; ) {
    const middle = low + Math.ceil((high - low) / 2);
    const at = middle === high ? middle - 1 : middle;
    if (at <= low || asked(at)) break;
    lengths.push(at);
    high = at;
  }
  return { do: "test", lengths };
}

/** The longest green beginning, and the shortest red one above it. The base itself counts as green. */
function bounds(length: number, tested: (length: number) => Tested): { green: number; red: number | null } {
  let green = 0;
  for (let at = 1; at <= length; at++) if (tested(at) === "green") green = at;
  for (let at = green + 1; at <= length; at++) if (tested(at) === "red") return { green, red: at };
  return { green, red: null };
}
