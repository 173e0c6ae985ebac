// What the bench of predictions needs of the sources.
export { createPredictor } from "../src/adapters/git/predictor.ts";
export { createCommand } from "../src/adapters/process/command.ts";
export { detect } from "../src/core/conflicts/detect.ts";
export { createPredictions } from "../src/engine/conflicts/predictions.ts";
