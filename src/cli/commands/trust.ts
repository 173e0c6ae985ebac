import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { trustFile, writeTrust } from "../../config/trust.ts";
import { Failed } from "../../core/failure/failed.ts";
import { renderReview } from "../../core/session/review-trust.ts";
import { type Command, JSON_OPTION, OK, printJson } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { confirm } from "../session/confirm.ts";
import { checkoutAround, observeTrust } from "../setup/observe-trust.ts";
import { ownToken } from "../supervisor/own-token.ts";
import { wireConfig, wirePorts } from "../wire/wire-ports.ts";

export const command: Command = {
  name: "trust",
  summary: "Review what this repository would run or loosen (settings, set-up, submodules, git filters), and allow it",
  options: [{ flags: "--yes", help: "Trust without being asked." }, JSON_OPTION],
  examples: [
    { run: "banksman trust", does: "shows it all, marks what changed since you last trusted it, then asks" },
    { run: "banksman trust --yes", does: "trusts it without asking, for scripts" },
  ],
  async run({ options }, io) {
    const repository = await requireRepository(io);
    if (ownToken(repository, io.env) !== null)
      throw new Failed({ kind: "request.refused", status: 403, message: "An agent may not trust a repository." });
    const config = wireConfig(repository, io.env);
    const { files, git } = wirePorts(repository, io.env);
    const checkout = checkoutAround(io.cwd, repository.root);
    const { review, any, trusted, ...read } = await observeTrust(files, config, checkout, await git.programs());
    if (!options.json) {
      if (!any) io.out("Nothing in this repository needs trust.\n");
      for (const line of renderReview(review)) io.out(`${line}\n`);
      if (any && trusted) io.out("You trust all of this already.\n");
    }
    if (any && !trusted) {
      if (!options.yes) await confirm(io, "Trust everything shown above, as it is now", "--yes");
      mkdirSync(repository.state, { recursive: true, mode: 0o700 });
      const path = trustFile(repository.state);
      const text = writeTrust(repository.root, config.trust, { ...read, at: new Date().toISOString() });
      writeFileSync(`${path}.new`, text, { mode: 0o600 });
      renameSync(`${path}.new`, path);
      if (!options.json) io.out("Trusted. If any of it changes, you are asked again.\n");
    }
    if (options.json) printJson(io, { keys: read.keys, ...besides(read), trusted: true });
    return OK;
  },
};

/** Only what there is. */
function besides({ files, programs }: { files: readonly object[]; programs: object }): object {
  const obeyed = Object.assign({}, ...files) as object;
  return {
    ...(Object.keys(obeyed).length > 0 && { files: obeyed }),
    ...(Object.keys(programs).length > 0 && { programs }),
  };
}
