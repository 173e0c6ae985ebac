import Database from "libsql";

export type Value = string | number | null;

/** A statement is kept for each of these. */
const AT_ONCE = [64, 16, 4, 1];

/** libsql with its statements kept: preparing one costs more than running it. */
export class Connection {
  private readonly db: InstanceType<typeof Database>;
  private readonly prepared = new Map<
    string,
    { all(...values: Value[]): unknown[]; run(...values: Value[] | [Value[]]): unknown }
  >();

  constructor(path: string) {
    this.db = new Database(path);
  }

  all<Row>(sql: string, ...values: Value[]): Row[] {
    return this.statement(sql).all(...values) as Row[];
  }

  /** The one row's one column, called `value`; 0 when there is no row. */
  number(sql: string, ...values: Value[]): number {
    return this.all<{ value: number | null }>(sql, ...values)[0]?.value ?? 0;
  }

  run(sql: string, ...values: Value[]): void {
    this.statement(sql).run(...values);
  }

  /**
   * Runs an INSERT for rows that lie flat in `values`, `width` each; `ROWS` in it stands for their parentheses. Many at a
   * time, because a call costs 6 µs whatever it does.
   */
  insertMany(sql: string, width: number, values: readonly Value[]): void {
    for (let at = 0; at < values.length; ) {
      const left = (values.length - at) / width;
      const rows = AT_ONCE.find((count) => count <= left) ?? 1;
      this.insertion(sql, width, rows).run(values.slice(at, at + rows * width));
      at += rows * width;
    }
  }

  exec(sql: string): void {
    this.db.exec(sql);
  }

  get inTransaction(): boolean {
    return this.db.inTransaction;
  }

  close(): void {
    this.db.close();
  }

  private insertion(sql: string, width: number, rows: number) {
    const name = `${rows} ${sql}`;
    const known = this.prepared.get(name);
    if (known !== undefined) return known;
    const one = `(${Array(width).fill("?").join(", ")})`;
    const made = this.db.prepare<Value[]>(sql.replace("ROWS", Array(rows).fill(one).join(", ")));
    this.prepared.set(name, made);
    return made;
  }

  private statement(sql: string) {
    const known = this.prepared.get(sql);
    if (known !== undefined) return known;
    const made = this.db.prepare<Value[]>(sql);
    this.prepared.set(sql, made);
    return made;
  }
}
