/**
 * Secrets of 128 bits or more, and the digest that stands for one wherever it is stored or compared. A token looks like
 * one (core/text/token-words.ts), so that it can be blanked wherever it is said.
 */
export interface Tokens {
  mint(): { readonly token: string; readonly digest: string };
  digest(token: string): string;
}
