import { locate, type RepositoryFolders, stateFolder } from "../../adapters/git/locate.ts";

export { stateHome } from "../../adapters/git/locate.ts";

/** A repository and our folder for it. */
export interface Repository extends RepositoryFolders {
  readonly state: string;
}

/** The repository around `cwd`, found by the file system alone; null outside of one. */
export function findRepository(cwd: string, env: NodeJS.ProcessEnv): Repository | null {
  const folders = locate(cwd);
  return folders === null ? null : { ...folders, state: stateFolder(folders, env) };
}
