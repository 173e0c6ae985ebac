/** A person's word on a permission. */
export interface Permission {
  readonly allow: boolean;
  readonly note: string;
}

/** `allow`, or `deny` with a reason if one likes; null for everything else: unknown is never yes. */
export function parsePermission(text: string): Permission | null {
  const said = text.trim();
  if (said === "allow") return { allow: true, note: "" };
  const [, note] = /^deny(?:[\s:,]+(.*))?$/s.exec(said) ?? [];
  return said.startsWith("deny") && (said === "deny" || note !== undefined) ? { allow: false, note: note ?? "" } : null;
}

/** As it is kept with the question. */
export const writePermission = ({ allow, note }: Permission): string =>
  allow ? "allow" : note === "" ? "deny" : `deny: ${note}`;
