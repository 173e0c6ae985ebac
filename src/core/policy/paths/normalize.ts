/** An absolute path without `.`, `..` and doubled slashes. A relative one counts from `folder`. */
export function normalize(path: string, folder: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : `${folder}/${path}`).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}
