/** Ends a judgement that would take too long: what is larger than anybody reads is asked about. */
export class TooMuch extends Error {
  constructor() {
    super("the command holds more than can be judged");
  }
}
