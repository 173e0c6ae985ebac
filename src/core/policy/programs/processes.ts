import { ask, askUnlessSandboxed, deny, type Judgement } from "../decision.ts";
import type { Programs } from "./entry.ts";

const asRoot = (name: string): Judgement => deny("system.root", `\`${name}\` runs a command as another user.`);
const others = (name: string): Judgement => deny("processes.kill-by-name", `\`${name}\` ends programs of others, too.`);
const panes = (name: string): Judgement => deny("terminal.panes", `\`${name}\` could type into the panes of others.`);
const service = (name: string): Judgement =>
  deny("system.service", `\`${name}\` starts or stops what outlives the agent.`);
const packages = (name: string): Judgement => ask("system.packages", `\`${name}\` installs programs on the machine.`);
const elsewhere = (name: string): Judgement =>
  ask("network.elsewhere", `\`${name}\` reaches other machines or containers.`);

export const PROCESSES: Programs = {
  ps: {
    rule: "processes.ps",
    does: "read",
    why: "It lists programs.",
    options: "-e -f -a -u -x -p= -o= -A --no-headers",
    operands: ["text"],
    most: 1,
    check: ({ operands: [letters] }) =>
      letters !== undefined && /e/.test(letters.text)
        ? ask("system.environment", "`ps e` prints the environment of programs.")
        : null,
  },
  pgrep: {
    rule: "processes.pgrep",
    does: "read",
    why: "It lists programs.",
    options: "-f -l -a -x -n -o -c",
    operands: ["text"],
  },
  lsof: {
    rule: "processes.lsof",
    does: "read",
    why: "It lists open files.",
    options: "-i? -n -P -t -p=",
    operands: ["text"],
  },
  uptime: { rule: "system.uptime", does: "read", why: "It says how busy the machine is." },
  free: { rule: "system.free", does: "read", why: "It says how much memory is free.", options: "-h -m -g" },
  kill: askUnlessSandboxed("processes.kill", "It ends a program, and it is not known whose."),
  pkill: others("pkill"),
  killall: others("killall"),
  sudo: asRoot("sudo"),
  su: asRoot("su"),
  doas: asRoot("doas"),
  pkexec: asRoot("pkexec"),
  runuser: asRoot("runuser"),
  tmux: panes("tmux"),
  screen: panes("screen"),
  systemctl: service("systemctl"),
  launchctl: service("launchctl"),
  service: service("service"),
  crontab: service("crontab"),
  at: service("at"),
  shutdown: service("shutdown"),
  reboot: service("reboot"),
  nohup: ask("processes.background", "It leaves a program running that nobody ends."),
  setsid: ask("processes.background", "It leaves a program running that nobody ends."),
  disown: ask("processes.background", "It leaves a program running that nobody ends."),
  watch: ask("processes.watch", "It runs a command again and again."),
  strace: ask("processes.trace", "It looks into other programs."),
  gdb: ask("processes.trace", "It looks into other programs."),
  apt: packages("apt"),
  "apt-get": packages("apt-get"),
  brew: packages("brew"),
  dnf: packages("dnf"),
  docker: elsewhere("docker"),
  podman: elsewhere("podman"),
  kubectl: elsewhere("kubectl"),
  terraform: elsewhere("terraform"),
  aws: elsewhere("aws"),
  gcloud: elsewhere("gcloud"),
};
