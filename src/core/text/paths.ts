/** Whether a configured name stays below the folder it is used in: relative, no `..`, not the folder itself. */
export function isInside(name: string): boolean {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  return !name.startsWith("/") && parts.length > 0 && !parts.includes("..");
}

/** Whether an absolute path is a folder or lies below it. */
export const below = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Whether a path goes through git's own folder, as file systems that ignore case, dots and spaces at the end read it. */
export const inGitFolder = (path: string): boolean =>
  path.split("/").some((part) => /^(\.git|git~1)[ .]*$/i.test(part));

/** Why a folder, a pipe or a device is not read. */
export const NOT_A_FILE = "it is not a file";
