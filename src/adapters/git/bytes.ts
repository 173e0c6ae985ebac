import { lstatSync, type Stats } from "node:fs";
import { sep } from "node:path";

/**
 * File names are bytes and need not be UTF-8. Inside this folder a name is a text with one character per byte; on disk
 * it is these bytes again.
 */
export type ByteName = string;

export const onDisk = (root: string, name: ByteName): Buffer =>
  Buffer.concat([Buffer.from(root), Buffer.from(sep), Buffer.from(name, "latin1")]);

export const toBytes = (text: ByteName): Buffer => Buffer.from(text, "latin1");

/** For people. */
export const readable = (name: ByteName): string => Buffer.from(name, "latin1").toString("utf8");

/** Whether a name is UTF-8: only then can it be handed to a program as an argument. */
export const isText = (name: ByteName): boolean => Buffer.from(readable(name)).equals(toBytes(name));

/** Null where there is nothing. Anything else that stands in the way is an error, not an absence. */
export function lookAt(root: string, name: ByteName): Stats | null {
  try {
    return lstatSync(onDisk(root, name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}

/** Whether a folder above it is a link, so that the name means something elsewhere. */
export function throughLink(root: string, name: ByteName): boolean {
  const parts = name.split("/").slice(0, -1);
  return parts.some((_, i) => lookAt(root, parts.slice(0, i + 1).join("/"))?.isSymbolicLink() === true);
}
