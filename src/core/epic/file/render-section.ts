import { type Layout, SECTIONS, type Section, type SectionName } from "./layout.ts";
import { newTable, type TableChange, tableSplices } from "./render-table.ts";
import type { Splice } from "./splice.ts";

/** Writes into sections, and makes those that are missing, in the order they have in a new file. */
export class SectionWriter {
  constructor(
    private readonly text: string,
    private readonly layout: Layout,
  ) {}

  table<Column extends string>(name: SectionName, change: TableChange<Column>): Splice[] {
    const section = this.layout.sections.get(name);
    if (section?.table) return tableSplices(section.table, change, this.layout.eol);
    if (change.after.length === 0) return [];
    return this.put(name, section, newTable(change, this.layout.eol));
  }

  lines(name: SectionName, lines: readonly string[]): Splice[] {
    if (lines.length === 0) return [];
    return this.put(name, this.layout.sections.get(name), lines.join(this.layout.eol));
  }

  /** Behind what the section holds, or as a new section. */
  private put(name: SectionName, section: Section | undefined, content: string): Splice[] {
    const { eol } = this.layout;
    if (section === undefined) return [this.newSection(name, content)];
    const kept = this.text.slice(section.start, section.end).trimEnd();
    const at = section.start + kept.length;
    const goesOn = isListLine(content) && isListLine(kept.slice(kept.lastIndexOf("\n") + 1));
    return [{ start: at, end: at, text: `${goesOn ? eol : eol + eol}${content.replace(/^\s+/, "")}` }];
  }

  private newSection(name: SectionName, content: string): Splice {
    const { eol } = this.layout;
    const later = SECTIONS.slice(SECTIONS.indexOf(name) + 1).map((each) => this.layout.sections.get(each)?.start);
    const before = later.filter((start) => start !== undefined).sort((a, b) => a - b)[0];
    const at = before ?? this.text.length;
    const above = this.text.slice(0, at);
    const gap = above.endsWith(eol + eol) || above === "" ? "" : above.endsWith("\n") ? eol : eol + eol;
    return {
      start: at,
      end: at,
      text: `${gap}## ${name}${eol}${eol}${content.replace(/^\s+/, "")}${eol}${before === undefined ? "" : eol}`,
    };
  }
}

const isListLine = (content: string): boolean => content.startsWith("- ");
