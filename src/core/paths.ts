/** Whether a configured name stays below the folder it is used in: relative, no `..`, not the folder itself. */
export function isInside(name: string): boolean {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  return !name.startsWith("/") && parts.length > 0 && !parts.includes("..");
}
