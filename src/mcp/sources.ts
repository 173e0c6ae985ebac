import type { Action } from "../core/actions/actions.ts";
import type { Claim } from "../core/claims/claim.ts";
import type { Spec } from "../core/specs/spec.ts";
import type { Snapshot } from "../core/views/snapshot.ts";

/** What the tools look at. Made in cli/, where adapters are; each call sees it as it is then. */
export interface Sources {
  readonly session: SessionSource;
  readonly repository: RepositorySource;
  readonly project: ProjectSource;
  /** Set where a model may act: sends what a person's command would send. */
  readonly act: ((action: Action) => Promise<unknown>) | null;
}

/** Of a running supervisor, or as the journal was left. Nobody has started anything: all of it is empty. */
export interface SessionSource {
  snapshot(): Promise<Snapshot>;
  intents(): Promise<readonly StandingIntent[]>;
  conflicts(): Promise<unknown>;
  questions(): Promise<readonly { readonly id: string; readonly kind: string }[]>;
  /** Who was blocked by whom, in order. */
  blocks(): Promise<readonly Block[]>;
}

export interface StandingIntent {
  readonly agent: string;
  readonly summary: string;
  readonly files: readonly Claim[];
  readonly expiresAt: string;
}

export interface Block {
  readonly agent: string;
  readonly from: string;
  readonly needs: string;
  readonly at: string;
}

/** Paths are relative; one that leads out, or holds secrets by its name, rejects with `path.refused`. */
export interface RepositorySource {
  list(folder: string, most: number): Promise<{ files: string[]; truncated: boolean }>;
  read(path: string, mostBytes: number): Promise<FileText | null>;
  search(text: string, folder: string, most: number): Promise<{ matches: object[]; truncated: boolean }>;
  branches(): Promise<readonly { branch: string; current: boolean }[]>;
  commits(ref: string, most: number): Promise<object[] | null>;
  diff(ref: string, base: string, mostChars: number): Promise<Diff | null>;
}

export interface FileText {
  readonly path: string;
  /** Null for what is not text. */
  readonly text: string | null;
  readonly bytes: number;
  readonly truncated: boolean;
}

export interface Diff {
  readonly commits: number;
  readonly files: readonly string[];
  readonly diff: string;
}

export interface ProjectSource {
  /** Paths of documents, as configured. */
  documents(): Promise<Readonly<Record<DocumentName, string | null>>>;
  /** Specs of every kind that is there, or of the one that is configured. */
  specs(): Promise<readonly LocatedSpec[]>;
  skill(name: string): Promise<{ name: string; description: string; body: string; from: string } | null>;
}

export type DocumentName = "adr" | "test_strategy" | "security" | "dod" | "readme" | "docs" | "constitution";

export interface LocatedSpec extends Spec {
  readonly type: string;
  /** Of its file, below the repository's root. */
  readonly file: string;
}
