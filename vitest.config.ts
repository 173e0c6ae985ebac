import { defineConfig } from "vitest/config";

/** Tests that start programs wait for them most of the time: three files at once keep two cores busy. */
const project = (name: string, include: string[], seconds: number, isolate = true) => ({
  define: { __VERSION__: JSON.stringify("0.0.0-test") },
  test: { name, include, testTimeout: seconds * 1000, hookTimeout: seconds * 1000, maxWorkers: 3, isolate },
});

export default defineConfig({
  test: {
    projects: [
      // What is pure needs no world of its own for each file: half the time goes into loading it again.
      project(
        "unit",
        ["src/**/*.test.ts", "test/*.test.ts", "test/simulation/*.test.ts", "test/real-clis/model/*.test.ts"],
        20,
        false,
      ),
      project("contracts", ["test/contracts/*.test.ts", "test/growth/*.test.ts"], 60),
      project("journeys", ["test/journeys/*.test.ts"], 180),
      project("faults", ["test/faults/*.test.ts"], 600),
      // Needs what scripts/install-clis.mjs installs.
      project("real-clis", ["test/real-clis/*.test.ts"], 180),
    ],
  },
});
