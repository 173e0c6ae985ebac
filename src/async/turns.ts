/** Runs a piece of work when its turn has come. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** At most `most` pieces of work at a time, in the order they came. One that fails does not stop the next. */
export function createTurns(most = 1): InTurn {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}

/** The same for each key, one at a time: what has different keys runs side by side. */
export function createKeyedTurns<Key>(): <T>(key: Key, work: () => Promise<T>) => Promise<T> {
  const turns = new Map<Key, { readonly inTurn: InTurn; waiting: number }>();
  return async (key, work) => {
    const mine = turns.get(key) ?? { inTurn: createTurns(), waiting: 0 };
    turns.set(key, mine);
    mine.waiting++;
    try {
      return await mine.inTurn(work);
    } finally {
      if (--mine.waiting === 0) turns.delete(key);
    }
  };
}

/** Does `work` for each of `all`, at most `most` at a time. Rejects with the first that fails. */
export async function forEachAtMost<T>(
  most: number,
  all: readonly T[],
  work: (each: T) => Promise<void>,
): Promise<void> {
  const left = all.values();
  const next = async (): Promise<void> => {
    for (const each of left) await work(each);
  };
  await Promise.all(Array.from({ length: most }, next));
}
