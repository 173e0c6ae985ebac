import { runOrder } from "../../adapters/epic/run-order.ts";
import { createCommand } from "../../adapters/process/command.ts";
import { ourselves, writeHolder } from "../../adapters/system/holder.ts";

/** Runs the order in a folder, in our name. */
export const wireOrder = (folder: string): Promise<void> =>
  runOrder(createCommand("banksman.epic.work"), folder, writeHolder(ourselves()));
