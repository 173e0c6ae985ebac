import { defineConfig } from "vitest/config";

const project = (name: string, include: string[], seconds: number) => ({
  define: { __VERSION__: JSON.stringify("0.0.0-test") },
  test: { name, include, testTimeout: seconds * 1000, hookTimeout: seconds * 1000, maxWorkers: 2 },
});

export default defineConfig({
  test: {
    projects: [
      project(
        "unit",
        ["src/**/*.test.ts", "test/*.test.ts", "test/simulation/*.test.ts", "test/real-clis/model/*.test.ts"],
        20,
      ),
      project("contracts", ["test/contracts/*.test.ts"], 60),
      project("journeys", ["test/journeys/*.test.ts"], 180),
      project("faults", ["test/faults/*.test.ts"], 600),
      // Needs what scripts/install-clis.mjs installs. Most of the time they wait for something.
      project("real-clis", ["test/real-clis/*.test.ts"], 180),
    ],
  },
});
