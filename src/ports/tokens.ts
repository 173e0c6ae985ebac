/** Secrets of 128 bits or more, and the digest that stands for one wherever it is stored or compared. */
export interface Tokens {
  mint(): { readonly token: string; readonly digest: string };
  digest(token: string): string;
}
