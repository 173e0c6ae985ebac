/** A sentence for the caller. Anything else that is thrown is a bug of ours. */
export class Refused extends Error {
  override readonly name = "Refused";
}
