export { openSqliteStore } from "../src/adapters/sqlite/store.ts";
