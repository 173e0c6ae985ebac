// A supervisor, built as it ships, that kills itself with SIGKILL at the n-th effect it performs:
// `before` the effect is carried out, or `after`, before that is written down. n = 0 only counts.
import { appendFileSync } from "node:fs";
import { findRepository, serve } from "../../dist/serve.mjs";

const [at = "0", moment = "before", trace = ""] = process.argv.slice(2);
const repository = findRepository(process.cwd(), process.env);
if (repository === null) throw new Error("not in a repository");
const die = () => process.kill(process.pid, "SIGKILL");
let count = 0;
const around = (perform) => async (effect, id) => {
  const mine = ++count === Number(at);
  if (trace !== "") appendFileSync(trace, `${effect.type}\n`);
  if (mine && moment === "before") die();
  const outcome = await perform(effect, id);
  if (mine && moment === "after") die();
  return outcome;
};
const serving = await serve({ repository, env: process.env, hold: false, around });
process.stdout.write("ready\n");
await serving.ended;
