// `npm run changelog -- <version> <date>`: joins the fragments under changes/ into CHANGELOG.md, and removes them.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [version, date] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version ?? "") || !/^\d{4}-\d{2}-\d{2}$/.test(date ?? "")) {
  process.stderr.write("Which version, and which day? npm run changelog -- 0.2.0 2026-12-01\n");
  process.exit(1);
}
const folder = "changes";
const fragments = readdirSync(folder)
  .filter((name) => name.endsWith(".md") && name !== "README.md")
  .sort();
if (fragments.length === 0) {
  process.stderr.write("There is nothing under changes/ to join.\n");
  process.exit(1);
}
const text = fragments.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n");
const head = "# Changelog\n";
const before = existsSync("CHANGELOG.md") ? readFileSync("CHANGELOG.md", "utf8").replace(head, "").trimStart() : "";
writeFileSync("CHANGELOG.md", `${head}\n## ${version} (${date})\n\n${text}\n\n${before}`.trimEnd() + "\n");
for (const name of fragments) rmSync(join(folder, name));
process.stdout.write(`${fragments.length} fragments joined into CHANGELOG.md\n`);
