/** The text with every secret replaced. Secrets are our own tokens: exact values, long enough not to hit by chance. */
export function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => (secret === "" ? rest : rest.replaceAll(secret, "[redacted]")), text);
}
