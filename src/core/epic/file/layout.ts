import type { FrontLayout } from "./front.ts";
import type { Table } from "./table.ts";

/** The sections banksman reads and writes, in the order it makes them. */
export const SECTIONS = ["Work Items", "Item Briefs", "Pattern Memory", "Pending Decisions", "Supervisor Log"] as const;
export type SectionName = (typeof SECTIONS)[number];

/** A heading and what follows it, as offsets in the file. */
export interface Section {
  readonly start: number;
  /** Behind the heading's line. */
  readonly body: number;
  /** Before the next heading of its depth or above. */
  readonly end: number;
  readonly table: Table | null;
}

/** Where everything stands in the text. */
export interface Layout {
  readonly eol: "\n" | "\r\n";
  readonly front: FrontLayout;
  readonly sections: ReadonlyMap<SectionName, Section>;
}
