/** One word for a POSIX shell, whatever it holds. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** One word for tmux's command parser. Single quotes take everything but themselves and line ends. */
export function tmuxWord(text: string): string {
  const parts = text.split(/(['\n\r]+)/).filter((part) => part !== "");
  if (parts.length === 0) return "''";
  return parts
    .map((part) => (/['\n\r]/.test(part) ? `"${part.replaceAll("\n", "\\n").replaceAll("\r", "\\r")}"` : `'${part}'`))
    .join("");
}

/** A text where tmux expects a format: `#{…}` would be looked up in it, `#(…)` would be run. */
export const tmuxFormat = (text: string): string => text.replaceAll("#", "##");
