import { ask, deny, type Judgement } from "../decision.ts";
import type { Entry, Programs } from "./entry.ts";
import { judgeCurl } from "./judge-curl.ts";

const elsewhere = (name: string): Judgement => ask("network.other", `\`${name}\` reaches the network.`);
const github = (what: string): Judgement => ask("network.github", `\`gh ${what}\` acts on GitHub in the user's name.`);
const nothing: Entry = { rule: "gh.help", does: "read", why: "It prints its version.", options: "--version" };

export const NETWORK: Programs = {
  curl: { judge: judgeCurl },
  wget: elsewhere("wget"),
  http: elsewhere("http"),
  nc: elsewhere("nc"),
  ncat: elsewhere("ncat"),
  netcat: elsewhere("netcat"),
  socat: elsewhere("socat"),
  telnet: elsewhere("telnet"),
  ssh: elsewhere("ssh"),
  scp: elsewhere("scp"),
  sftp: elsewhere("sftp"),
  rsync: elsewhere("rsync"),
  ftp: elsewhere("ftp"),
  ping: elsewhere("ping"),
  dig: elsewhere("dig"),
  nslookup: elsewhere("nslookup"),
  gh: {
    commands: {
      auth: deny("network.github.auth", "`gh auth` shows or changes the user's token."),
      secret: deny("network.github.auth", "`gh secret` shows or changes secrets."),
      release: deny("network.publish", "It publishes something."),
      repo: github("repo"),
    },
    options: "--version",
    alone: nothing,
    other: github("…"),
  },
};
