import { relative } from "node:path";
import { COORDINATION } from "../core/brief.ts";
import { constitutionPath } from "../core/constitution.ts";
import { Failed } from "../core/failure.ts";
import { below } from "../core/paths.ts";
import type { SpecType } from "../core/specs/spec.ts";
import { SUPERVISION } from "../core/supervisor-brief.ts";
import type { LogView } from "../engine/views.ts";
import type { LocatedSpec, ProjectSource, RepositorySource, SessionSource, Sources } from "../mcp/sources.ts";
import { findOwnSkill } from "../modes/session/find-skill.ts";
import type { Files } from "../ports/files.ts";
import { loadSpecs } from "../specs/load.ts";
import type { Io } from "./command.ts";
import { act, connect } from "./connect.ts";
import { requireHere } from "./here.ts";
import type { Here } from "./place.ts";
import { openReader, type Reader } from "./reader.ts";
import { wireConfig, wireRepositoryReader, wireWorld } from "./wire.ts";

const LOG_PAGE = 10_000;
const MOST_LOG_PAGES = 20;
const MOST_BYTES = 1024 * 1024;

/** What `banksman mcp` looks at, with and without a supervisor. Reading starts nothing. */
export async function openSources(io: Io): Promise<Sources> {
  const here = await requireHere(io);
  const repository = wireRepositoryReader(here, io.env);
  const { mcpActions } = wireConfig(here, io.env);
  return {
    session: sessionSource(here),
    repository,
    project: projectSource(here, io.env, repository),
    act: mcpActions ? async (action) => act(await connect(here, "never"), action) : null,
  };
}

function sessionSource(here: Here): SessionSource {
  const reading = async <T>(read: (reader: Reader) => Promise<T>): Promise<T> => {
    const reader = await openReader(here);
    try {
      return await read(reader);
    } finally {
      await reader.close();
    }
  };
  return {
    snapshot: () => reading((reader) => reader.snapshot()),
    intents: () => reading((reader) => reader.intents()),
    questions: () => reading((reader) => reader.questions()),
    conflicts: () => reading((reader) => reader.conflicts()),
    blocks: () => reading(readBlocks),
  };
}

async function readBlocks(reader: Reader) {
  const blocks = [];
  let since: number | null = null;
  for (let page = 0; page < MOST_LOG_PAGES; page++) {
    const { entries, last_seq }: LogView = await reader.log(since, LOG_PAGE);
    for (const { at, from, message } of entries) {
      const { type, payload } = message as { type: string; payload?: { needs: string; from: string } };
      if (type === "agent.blocked" && payload)
        blocks.push({ agent: from, from: payload.from, needs: payload.needs, at });
    }
    if (entries.length < LOG_PAGE) break;
    since = last_seq;
  }
  return blocks;
}

function projectSource(here: Here, env: NodeJS.ProcessEnv, repository: RepositorySource & Names): ProjectSource {
  const { files: anywhere } = wireWorld(here, env);
  const files = insideFiles(here.root, repository, anywhere);
  return {
    async documents() {
      const { documents, settings } = wireConfig(here, env);
      return { ...documents, constitution: constitutionPath(settings) };
    },
    async specs() {
      const { specs } = wireConfig(here, env).settings;
      const place = { root: here.root, ...specs };
      const load = async (type: SpecType | null): Promise<LocatedSpec[]> => {
        const loaded = await loadSpecs(files, { ...place, type });
        return loaded.entries.map((spec) => ({ ...spec, type: loaded.type, file: `${loaded.folder}/${spec.path}` }));
      };
      return load(specs.type).catch(async (error: unknown) => {
        if (!(error instanceof Failed)) throw error;
        if (error.failure.kind === "spec.none") return [];
        if (error.failure.kind !== "spec.several") throw error;
        return (await Promise.all(error.failure.found.map((type) => load(type as SpecType)))).flat();
      });
    },
    async skill(name) {
      const { settings } = wireConfig(here, env);
      const bundled = [COORDINATION, SUPERVISION].find((skill) => skill.name === name) ?? null;
      return (await findOwnSkill({ files, root: here.root, settings }, name)) ?? bundled;
    },
  };
}

interface Names {
  names(folder: string): Promise<string[]>;
}

/** The repository's files as a careful reader sees them: what is refused there is not there. Others as they are. */
function insideFiles(root: string, repository: RepositorySource & Names, files: Files): Pick<Files, "read" | "list"> {
  const orNothing = async <T>(work: Promise<T>, nothing: T): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof Failed && error.failure.kind === "path.refused") return nothing;
      throw error;
    }
  };
  return {
    read: (path) =>
      below(path, root)
        ? orNothing(
            repository.read(relative(root, path), MOST_BYTES).then((found) => found?.text ?? null),
            null,
          )
        : files.read(path),
    list: (folder) =>
      below(folder, root) ? orNothing(repository.names(relative(root, folder)), []) : files.list(folder),
  };
}
