import type { PolicyContext } from "../context.ts";

/** Only what every program reads in the same way: no user, no braces, no backslash, no percent before the path. */
const PLAIN = /^(?:(https?):\/\/)?([A-Za-z0-9.-]+|\[::1\])(?::(\d{1,5}))?(\/[A-Za-z0-9_.~/?=&%:,+-]*)?$/;

/** Whether an address is the agent's own URL of the broker, or below it. */
export function isBroker(url: string, { broker }: PolicyContext): boolean {
  if (broker === null || !PLAIN.test(url) || hasDots(url)) return false;
  return url === broker || url.startsWith(`${broker}/`) || url.startsWith(`${broker}?`);
}

/** Whether an address is the agent's own port on this machine. */
export function isOwnPort(url: string, { port }: PolicyContext): boolean {
  const [, , host = "", given] = PLAIN.exec(url) ?? [];
  return port !== null && given === String(port) && ["localhost", "127.0.0.1", "[::1]"].includes(host.toLowerCase());
}

/** The host of an address that is plain; null for every other. */
export function hostOf(url: string): string | null {
  const [, scheme, host] = PLAIN.exec(url) ?? [];
  return scheme === undefined || host === undefined ? null : host.toLowerCase();
}

/** A path that goes up again leaves the part of the broker that is the agent's. */
const hasDots = (url: string): boolean => /(\/|%2f)(\.|%2e){2}(\/|%2f|$)/i.test(url);
