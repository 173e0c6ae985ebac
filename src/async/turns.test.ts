import { describe, expect, it } from "vitest";
import { createKeyedTurns, createTurns, forEachAtMost } from "./turns.ts";

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work that ends when it is told to, and says when it began. */
function stage() {
  const begun: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve, reject) =>
      ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error))),
    );
  };
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await tick();
  };
  return { begun, work, end };
}

describe("turns", () => {
  it("run one after the other, also after one that failed", async () => {
    const { begun, work, end } = stage();
    const inTurn = createTurns();
    const first = inTurn(work("a")).catch((error: Error) => error.message);
    const rest = [inTurn(work("b")), inTurn(work("c"))];
    await tick();
    expect(begun).toEqual(["a"]);
    await end("a", new Error("broken"));
    expect(begun).toEqual(["a", "b"]);
    await end("b");
    await end("c");
    expect([await first, ...(await Promise.all(rest))]).toEqual(["broken", "b", "c"]);
  });

  it("let as many run side by side as they are told", async () => {
    const { begun, work, end } = stage();
    const inTurn = createTurns(2);
    const all = ["a", "b", "c"].map((name) => inTurn(work(name)));
    await tick();
    expect(begun).toEqual(["a", "b"]);
    await end("b");
    expect(begun).toEqual(["a", "b", "c"]);
    await end("a");
    await end("c");
    expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
  });

  it("are kept per key", async () => {
    const { begun, work, end } = stage();
    const inTurn = createKeyedTurns<string>();
    const all = [inTurn("x", work("x1")), inTurn("x", work("x2")), inTurn("y", work("y1"))];
    await tick();
    expect(begun).toEqual(["x1", "y1"]);
    await end("x1");
    expect(begun).toEqual(["x1", "y1", "x2"]);
    await end("x2");
    await end("y1");
    await Promise.all(all);
  });
});

it("does something for each, at most so many at a time", async () => {
  const { begun, work, end } = stage();
  const all = forEachAtMost(2, ["a", "b", "c"], (name) => work(name)().then(() => undefined));
  await tick();
  expect(begun).toEqual(["a", "b"]);
  await end("a");
  expect(begun).toEqual(["a", "b", "c"]);
  await end("b");
  await end("c");
  await all;
});
