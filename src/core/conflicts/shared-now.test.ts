import { expect, it } from "vitest";
import { sharedFiles, sharedPlans } from "./shared-now.ts";

const inFunction = (name: string) => ({ path: "a.ts", regions: [{ kind: "function" as const, name }] });

it("pairs agents whose plans meet, folders and globs included", () => {
  const plans = [
    { agent: "a", files: ["src/app.ts", "docs/"] },
    { agent: "b", files: ["src/"] },
    { agent: "c", files: ["**/*.css"] },
  ];
  expect(sharedPlans(plans).filter(({ between }) => between.includes("a") && between.includes("b"))).toEqual([
    { between: ["a", "b"], paths: ["src/app.ts"] },
  ]);
});

it("takes parts of a file that are apart for apart", () => {
  const plans = (other: string) => [
    { agent: "a", files: [inFunction("f")] },
    { agent: "b", files: [inFunction(other)] },
  ];
  expect(sharedPlans(plans("g"))).toEqual([]);
  expect(sharedPlans(plans("f"))).toEqual([{ between: ["a", "b"], paths: ["a.ts"] }]);
});

it("pairs agents that have modified the same files", () => {
  const files = [
    { agent: "a", files: ["x", "y"] },
    { agent: "b", files: ["y"] },
    { agent: "c", files: ["z"] },
  ];
  expect(sharedFiles(files)).toEqual([{ between: ["a", "b"], paths: ["y"] }]);
});
