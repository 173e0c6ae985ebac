import { below } from "../../text/paths.ts";
import { isSecretName } from "../../text/secret-names.ts";

/** Folders and files below a home that hold keys, tokens or what was typed. */
const IN_HOME = [
  ".ssh",
  ".gnupg",
  ".aws",
  ".azure",
  ".kube",
  ".docker",
  ".config/gh",
  ".config/gcloud",
  ".config/hub",
  ".config/op",
  ".config/rclone",
  ".config/git/credentials",
  ".config/containers",
  ".password-store",
  ".local/share/keyrings",
  ".local/state/banksman",
  ".mozilla",
  ".config/google-chrome",
  ".config/chromium",
  ".claude.json",
  ".claude/.credentials.json",
  ".codex/auth.json",
  ".gemini/oauth_creds.json",
  ".local/share/opencode/auth.json",
  ".pi/agent/auth.json",
  ".terraform.d",
  ".cargo/credentials",
  ".cargo/credentials.toml",
  ".m2/settings.xml",
  ".gradle/gradle.properties",
  ".nuget/NuGet",
  ".bash_history",
  ".zsh_history",
  ".python_history",
  ".node_repl_history",
  ".psql_history",
  ".mysql_history",
];

const OF_SYSTEM =
  /^\/(etc\/(shadow|gshadow|sudoers|ssl\/private|ssh\/ssh_host)|root(\/|$)|run\/secrets|var\/run\/secrets|dev\/(mem|kmem)$)/;
/** Environments, memory and open files of processes. */
const OF_PROCESSES =
  /^\/proc\/[^/]+\/(task\/[^/]+\/)?(environ|mem|maps|cmdline|fd|root|cwd|map_files)(\/|$)|^\/proc\/kcore$/;

/** Whether what lies at a normalised path is a secret by its name or place. */
export function isSecret(path: string, home: string): boolean {
  if (isSecretName(path) || OF_PROCESSES.test(path)) return true;
  if (IN_HOME.some((name) => below(path, `${home}/${name}`))) return true;
  return OF_SYSTEM.test(path) && !below(path, home === "/root" ? home : "/nowhere");
}

/** Names that stand for all secret ones, to see whether a pattern could name one. */
export const SECRET_NAMES: readonly string[] = [
  ".env",
  ".env.local",
  "x.env",
  ".netrc",
  ".npmrc",
  ".pypirc",
  ".pgpass",
  ".git-credentials",
  ".htpasswd",
  "id_rsa",
  "id_ed25519",
  "x.pem",
  "x.key",
  "x.p12",
  "x.pfx",
  "x.jks",
  "x.keystore",
  "x.gpg",
  "x.asc",
  "x.tfstate",
  "x.tfvars",
  "credentials",
  "credentials.json",
  "client_secret.json",
  "service_account.json",
  "secrets.json",
  "secrets.yml",
  "secrets.yaml",
  "secrets.toml",
  "secrets.ini",
  "secret.txt",
  "secrets.txt",
  "server.key",
  "server.pem",
];
