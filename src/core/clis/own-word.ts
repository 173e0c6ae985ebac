import { OWN_COMMAND } from "./kind.ts";

/** A plain call of ours: no character that lets a shell run, read or write anything else. */
const OWN_WORD = new RegExp(`^${OWN_COMMAND}( [^\`$\\\\;&|<>()\\n\\r]*)?$`);

/**
 * Whether a command is nothing but an agent's word to its supervisor. Its brief asks for that, so nobody is asked again,
 * as with the rules given to CLIs that know such rules.
 */
export const isOwnWord = (command: string): boolean => OWN_WORD.test(command);

/** The same rule as source text, for the gate that runs inside another program. */
export const OWN_WORD_SOURCE = String(OWN_WORD);
