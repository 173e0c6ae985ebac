/**
 * What an agent gets of the user's environment: enough to run tools and reach its model, no secrets. A CLI that needs
 * its key names the variable in its config (`env`).
 */
const COMMON: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "TERM",
  "COLORTERM",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "XDG_CONFIG_HOME",
  "XDG_CACHE_HOME",
  "XDG_DATA_HOME",
  "XDG_RUNTIME_DIR",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
];

export type Environment = Readonly<Record<string, string>>;

/**
 * The whole environment of an agent's process: allowed names, then what we give, which nothing overrides. A name that
 * ends in `*` allows all that begin so.
 */
export function agentEnvironment(user: Environment, extra: readonly string[], given: Environment): Environment {
  const names = [...COMMON, "LC_*", ...extra];
  const allowed = new Set(names);
  const starts = names.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  const isAllowed = (name: string) => allowed.has(name) || starts.some((start) => name.startsWith(start));
  const kept = Object.entries(user).filter(([name]) => isAllowed(name));
  return { ...Object.fromEntries(kept), ...given };
}

/** Git settings by environment (`GIT_CONFIG_COUNT`…): nothing is written into anybody's config file. */
export function gitConfigEnvironment(settings: readonly (readonly [key: string, value: string])[]): Environment {
  const entries = settings.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(entries) };
}
