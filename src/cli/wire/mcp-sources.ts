import { COORDINATION } from "../../core/agents/brief.ts";
import { SUPERVISION } from "../../core/agents/supervisor-brief.ts";
import { Failed } from "../../core/failure/failed.ts";
import { constitutionPath } from "../../core/session/constitution.ts";
import type { SpecType } from "../../core/specs/spec.ts";
import type { LogView } from "../../engine/views/views.ts";
import type { LocatedSpec, ProjectSource, SessionSource, Sources } from "../../mcp/sources.ts";
import { findOwnSkill } from "../../modes/session/find-skill.ts";
import { loadSpecs } from "../../specs/load.ts";
import type { Io } from "../command.ts";
import { requireRepository } from "../repository.ts";
import { act, connect } from "../supervisor/connect.ts";
import { openReader, type Reader } from "../supervisor/reader.ts";
import type { Repository } from "./find-repository.ts";
import { wireFiles } from "./wire-files.ts";
import { wireConfig, wireRepositoryReader } from "./wire-ports.ts";

const LOG_PAGE = 10_000;
const MOST_LOG_PAGES = 20;

/** What `banksman mcp` looks at, with and without a supervisor. Reading starts nothing. */
export async function openSources(io: Io): Promise<Sources> {
  const repository = await requireRepository(io);
  const { mcpActions } = wireConfig(repository, io.env);
  return {
    session: sessionSource(repository),
    repository: wireRepositoryReader(repository, io.env),
    project: projectSource(repository, io.env),
    act: mcpActions ? async (action) => act(await connect(repository, "never"), action) : null,
  };
}

function sessionSource(repository: Repository): SessionSource {
  const reading = async <T>(read: (reader: Reader) => Promise<T>): Promise<T> => {
    const reader = await openReader(repository);
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
    if (entries.length === 0) break;
    since = last_seq;
  }
  return blocks;
}

function projectSource(repository: Repository, env: NodeJS.ProcessEnv): ProjectSource {
  const files = wireFiles();
  return {
    async documents() {
      const { documents, settings } = wireConfig(repository, env);
      return { ...documents, constitution: constitutionPath(settings) };
    },
    async specs() {
      const { specs } = wireConfig(repository, env).settings;
      const place = { root: repository.root, ...specs };
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
      const { settings } = wireConfig(repository, env);
      const bundled = [COORDINATION, SUPERVISION].find((skill) => skill.name === name) ?? null;
      const own = await findOwnSkill({ files, root: repository.root, settings }, name).catch((error: unknown) => {
        if (error instanceof Failed && error.failure.kind === "path.refused") return null;
        throw error;
      });
      return own ?? bundled;
    },
  };
}
