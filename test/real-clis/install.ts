import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Approval } from "../../src/core/clis/kind.ts";
import type { Stage } from "../stage.ts";
import { ARGUMENTS } from "./drive.ts";
import { type HomeOptions, homeFor } from "./homes.ts";
import { binFolder, type CliName } from "./pinned.ts";

/** The CLIs on a person's PATH and configured, with the scripted model as everybody's provider. */
export function install(
  stage: Stage,
  modelUrl: string,
  clis: readonly CliName[],
  { approval = "auto", ...options }: HomeOptions & { readonly approval?: Approval } = {},
): void {
  const path = [...clis.map(binFolder), stage.env.PATH].join(delimiter);
  for (const cli of clis) Object.assign(stage.env, homeFor(cli, modelUrl, stage.home, options));
  Object.assign(stage.env, { PATH: path });
  const config = clis.map((cli) => {
    const command = JSON.stringify([cli, ...(ARGUMENTS[cli] ?? [])]);
    return `[clis.${cli}]\ncommand = ${command}\nenv = ["FAKE_KEY"]\n`;
  });
  const folder = join(stage.home, ".config/banksman");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, "config.toml"),
    `${config.join("\n")}\n[supervisor]\nagent_approval = "${approval}"\n[worktree]\nsetup = ""\n`,
  );
}
