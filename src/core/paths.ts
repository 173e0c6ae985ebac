/** Whether a configured name stays below the folder it is used in: relative, no `..`, not the folder itself. */
export function isInside(name: string): boolean {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  return !name.startsWith("/") && parts.length > 0 && !parts.includes("..");
}

/** Whether an absolute path is a folder or lies below it. */
export const below = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
