import Database from "libsql";

type Value = string | number | null;

/** libsql with its statements kept: preparing one costs more than running it. */
export class Connection {
  private readonly db: InstanceType<typeof Database>;
  private readonly prepared = new Map<
    string,
    { all(...values: Value[]): unknown[]; run(...values: Value[]): unknown }
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

  exec(sql: string): void {
    this.db.exec(sql);
  }

  get inTransaction(): boolean {
    return this.db.inTransaction;
  }

  close(): void {
    this.db.close();
  }

  private statement(sql: string) {
    const known = this.prepared.get(sql);
    if (known !== undefined) return known;
    const made = this.db.prepare<Value[]>(sql);
    this.prepared.set(sql, made);
    return made;
  }
}
