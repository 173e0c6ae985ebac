// What the bench of landings needs of the sources.
export { planTrain } from "../src/core/landing/plan-train.ts";
export { FLEET } from "../test/landing/fleet.ts";
export { SUITE } from "../test/landing/ground.ts";
