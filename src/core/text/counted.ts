/** `1 file`, `2 files`. `several` for nouns that do not just take an s. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count} ${count === 1 ? one : several}`;
