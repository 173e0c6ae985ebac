// Sources of the program, built for a bench: they are TypeScript, and `dist` holds only what commands need.

import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "tsdown";

/** `name` is a file beside this one that exports what the bench wants. */
export async function loadSources(name) {
  const entry = { [name]: fileURLToPath(new URL(`./${name}.ts`, import.meta.url)) };
  const define = { __VERSION__: '"bench"' };
  const shared = { platform: "node", format: "esm", dts: false, clean: false, logLevel: "error", config: false };
  // Below the project, so that its libraries are found.
  const outDir = fileURLToPath(new URL("../node_modules/.cache/banksman-bench", import.meta.url));
  await build({ ...shared, entry, define, outDir });
  return import(pathToFileURL(join(outDir, `${name}.mjs`)).href);
}
