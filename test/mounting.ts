import { spawnSync } from "node:child_process";

/** Whether a folder can be mounted over itself, so that nobody can delete it: as root, and not in most containers. */
export const CAN_MOUNT =
  spawnSync("sh", ["-c", 'd=$(mktemp -d) && mount --bind "$d" "$d" && umount "$d" && rmdir "$d"']).status === 0;

export const mountOverItself = (folder: string): void => void spawnSync("mount", ["--bind", folder, folder]);
export const unmount = (folder: string): void => void spawnSync("umount", [folder]);
