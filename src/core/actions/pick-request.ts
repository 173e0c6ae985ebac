/** Something that needs a person. */
interface Waiting {
  readonly id: string;
  readonly kind: string;
}

/** Which request `allow` or `deny` means: the one that is named, or the only one; else what to say about it. */
export function pickRequest(
  named: string | null,
  waiting: readonly Waiting[],
): { readonly request: string } | { readonly hint: string } {
  if (named !== null) {
    const other = waiting.find(({ id, kind }) => id === named && kind !== "approval");
    return other === undefined
      ? { request: named }
      : { hint: `${named} is a question, not a permission request; answer it in words: /answer ${named} <answer>` };
  }
  const requests = waiting.filter(({ kind }) => kind === "approval").map(({ id }) => id);
  const [first] = requests;
  if (first === undefined) return { hint: "No permission request is open." };
  return requests.length === 1
    ? { request: first }
    : { hint: `Which one? Open: ${requests.join(", ")}. Say \`allow ${first}\`.` };
}
