export { holdAlone, letGo } from "../../adapters/system/alone.ts";
