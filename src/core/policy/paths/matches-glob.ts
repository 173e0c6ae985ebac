/**
 * Whether a pattern of the shell could match a name. `*` and `?` as the shell has them; brackets, and what stands between
 * them, count as anything: where one ends is read in different ways, and this says yes too often and never too seldom. A dot at the beginning is matched by a dot alone, or, for some
 * shells, by brackets.
 */
export function couldMatch(pattern: string, name: string): boolean {
  if (name.startsWith(".") && !/^[.[]/.test(pattern)) return false;
  const parts = withoutBrackets(pattern).split("*");
  if (parts.length === 1) return fits(parts[0] ?? "", name, 0) && parts[0]?.length === name.length;
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (!fits(first, name, 0) || name.length < first.length + last.length) return false;
  if (!fits(last, name, name.length - last.length)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    while (at + part.length <= name.length - last.length && !fits(part, name, at)) at++;
    if (at + part.length > name.length - last.length) return false;
    at += part.length;
  }
  return true;
}

function withoutBrackets(pattern: string): string {
  const [from, to] = [pattern.indexOf("["), pattern.lastIndexOf("]")];
  return from < 0 || to < from ? pattern : `${pattern.slice(0, from)}*${pattern.slice(to + 1)}`;
}

function fits(part: string, name: string, at: number): boolean {
  if (at + part.length > name.length) return false;
  for (let i = 0; i < part.length; i++) if (part[i] !== "?" && part[i] !== name[at + i]) return false;
  return true;
}
