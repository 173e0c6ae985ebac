// What the bench of agents needs of the sources, built for it: the adapter, and the test ground for real CLIs.
export { createAgents } from "../src/adapters/process/agents.ts";
export { kindNamed } from "../src/core/clis/kinds.ts";
export { ARGUMENTS } from "../test/real-clis/drive.ts";
export { homeFor } from "../test/real-clis/homes.ts";
export { binFolder, chosenClis, isInstalled } from "../test/real-clis/pinned.ts";
export { startModel } from "../test/real-clis/scripted-model.ts";
