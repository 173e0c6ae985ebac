import { expect, it } from "vitest";
import { countFitting } from "./page.ts";

it.each([
  [[], 0],
  [[1, 2, 3], 3],
  [[5, 5, 1], 2],
  [[5, 6], 1],
  [[100, 1], 1],
  [[1, 100, 1], 1],
])("of %j so many fit into ten: %d", (sizes, count) => expect(countFitting(sizes, 10)).toBe(count));
