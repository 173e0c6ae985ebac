// `npm run bench -- <name> [--json]`: our figure, a baseline measured in the same run, and their ratio.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const names = readdirSync(fileURLToPath(new URL(".", import.meta.url)))
  .filter((file) => file.endsWith(".bench.mjs"))
  .map((file) => file.replace(".bench.mjs", ""));
const [name, ...options] = process.argv.slice(2);
if (!names.includes(name)) {
  process.stderr.write(`Which one? npm run bench -- ${names.join(" | ")} [--json]\n`);
  process.exit(1);
}
// Node 20 pays 50 ms per start for reading extra certificates; nothing here makes a TLS call.
delete process.env.NODE_EXTRA_CA_CERTS;
const json = options.includes("--json");
const say = (text) => json || process.stderr.write(`${text}\n`);
const { bench } = await import(`./${name}.bench.mjs`);
const rows = await bench({ say, options });
if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
else {
  const cell = (value) =>
    typeof value === "number" ? (value >= 100 ? value.toFixed(0) : value.toFixed(2)) : (value ?? "");
  const table = rows.map(({ name: row, ours, baseline, ratio, unit, goal }) => [
    row,
    `${cell(ours)} ${unit}`,
    baseline === undefined ? "" : `${cell(baseline)} ${unit}`,
    ratio === undefined ? "" : `${ratio.toFixed(2)}×`,
    goal ?? "",
  ]);
  const all = [["", "ours", "baseline", "ratio", "goal"], ...table];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  for (const row of all)
    process.stdout.write(
      `${row.map((text, column) => (column === 0 ? text.padEnd(widths[column]) : text.padStart(widths[column]))).join("  ")}\n`,
    );
}
