import type { ScriptStep } from "../../scripted-agent/script.ts";
import type { DemoStage } from "./stage.ts";

/** A little program with a real test suite, and three pieces of work for three agents. One of them mends a red test. */
export async function layOut(stage: DemoStage): Promise<void> {
  for (const [name, text] of Object.entries(FILES)) stage.write(name, text);
  stage.write(".banksman/config.toml", CONFIG);
  await stage.git("init", "--quiet", "--initial-branch", "main");
  await stage.git("add", "--all");
  await stage.git("commit", "--quiet", "--message", "A greenhouse with one sensor");
  scripts(stage);
}

/** Agents are warned of each other in sessions with a supervisor. */
const CONFIG = '[supervisor]\nenabled = true\ntest_command = "node --test test/"\n';

const FILES = {
  "package.json": `{ "name": "greenhouse", "type": "module", "scripts": { "test": "node --test test/" } }\n`,
  "src/temperature.js": `/** Degrees Celsius, one decimal. */\nexport const round = (value) => Math.floor(value * 10) / 10;\n\nexport const average = (values) => round(values.reduce((sum, each) => sum + each, 0) / values.length);\n`,
  "test/temperature.test.js": `import assert from "node:assert";\nimport test from "node:test";\nimport { average, round } from "../src/temperature.js";\n\ntest("averages", () => assert.equal(average([20, 22, 24]), 22));\ntest("rounds to the nearest tenth", () => assert.equal(round(21.46), 21.5));\n`,
  "src/sensor.js": `export const read = (raw) => raw / 10;\n`,
  "test/sensor.test.js": `import assert from "node:assert";\nimport test from "node:test";\nimport { read } from "../src/sensor.js";\n\ntest("reads tenths of a degree", () => assert.equal(read(215), 21.5));\n`,
};

function scripts(stage: DemoStage): void {
  stage.script("feat-humidity", [
    { do: "status", text: "reading the sensor code" },
    { do: "intent", why: "add a humidity sensor", files: ["src/humidity.js", "test/humidity.test.js"] },
    { do: "sleep", ms: 300 },
    { do: "write", path: "src/humidity.js", text: `export const tooDry = (percent) => percent < 40;\n` },
    {
      do: "write",
      path: "test/humidity.test.js",
      text: `import assert from "node:assert";\nimport test from "node:test";\nimport { tooDry } from "../src/humidity.js";\n\ntest("knows when to water", () => assert.equal(tooDry(35), true));\n`,
    },
    { do: "ask", command: "node --test test/humidity.test.js" },
    { do: "commit", message: "Add a humidity sensor" },
    { do: "artifact", exports: ["tooDry"], files: ["src/humidity.js", "test/humidity.test.js"] },
    { do: "usage", input: 5200, output: 640, cost: 0.03 },
  ]);
  stage.script("feat-report", [
    { do: "status", text: "planning the daily report" },
    { do: "intent", why: "write a daily report", files: ["src/report.js"] },
    { do: "sleep", ms: 500 },
    { do: "question", text: "Celsius or Fahrenheit in the report?" },
    {
      do: "write",
      path: "src/report.js",
      text: `import { average } from "./temperature.js";\n\nexport const report = (values) => \`average: \${average(values)} °C\`;\n`,
    },
    { do: "commit", message: "Write a daily report" },
    { do: "artifact", exports: ["report"], files: ["src/report.js"] },
  ]);
  stage.script("fix-rounding", [
    { do: "status", text: "a test is red on main: looking" },
    { do: "intent", why: "round to the nearest tenth", files: ["src/temperature.js"] },
    { do: "sleep", ms: 200 },
    {
      do: "run",
      argv: ["sh", "-c", "sed -i.bak 's/Math.floor/Math.round/' src/temperature.js && rm src/temperature.js.bak"],
    },
    { do: "run", argv: ["node", "--test", "test/"] },
    { do: "commit", message: "Round to the nearest tenth" },
    { do: "artifact", files: ["src/temperature.js"] },
    { do: "append", path: "NOTES.md", text: "Idea for tomorrow: alert below 5 °C.\n" },
  ]);
  stage.script("feat-alerts", [
    { do: "intent", why: "warn of frost", files: ["src/temperature.js"] },
    poll("forward conflict"),
    average("values.length ? round(values.reduce((sum, each) => sum + each, 0) / values.length) : null"),
    poll("yours alone"),
    { do: "commit", message: "Know when there is no value" },
    { do: "artifact", files: ["src/temperature.js"] },
  ]);
  stage.script("feat-units", [
    { do: "intent", why: "speak Fahrenheit, too", files: ["src/temperature.js"] },
    poll("forward conflict"),
    average("round((values.reduce((sum, each) => sum + each, 0) / values.length) * 1.8 + 32)"),
    poll("Leave src/temperature.js"),
    { do: "run", argv: ["git", "checkout", "--quiet", "--", "src/temperature.js"] },
    { do: "retract" },
    { do: "write", path: "src/units.js", text: "export const fahrenheit = (celsius) => celsius * 1.8 + 32;\n" },
    { do: "commit", message: "Speak Fahrenheit, too" },
    { do: "artifact", exports: ["fahrenheit"], files: ["src/units.js"] },
  ]);
  stage.script("ref-sensor", [
    { do: "status", text: "giving read() a clearer name" },
    {
      do: "run",
      argv: [
        "sh",
        "-c",
        "sed -i.bak 's/\\bread\\b/readSensor/' src/sensor.js test/sensor.test.js && rm src/*.bak test/*.bak",
      ],
    },
    { do: "run", argv: ["node", "--test", "test/"] },
    poll("together with that of feat-alarm"),
    { do: "commit", message: "Call it readSensor" },
    { do: "artifact", exports: ["readSensor"], files: ["src/sensor.js"] },
  ]);
  stage.script("feat-alarm", [
    { do: "status", text: "ringing when it is too hot" },
    {
      do: "write",
      path: "src/alarm.js",
      text: `import { read } from "./sensor.js";\n\nexport const rings = (raw) => read(raw) > 35;\n`,
    },
    {
      do: "write",
      path: "test/alarm.test.js",
      text: `import assert from "node:assert";\nimport test from "node:test";\nimport { rings } from "../src/alarm.js";\n\ntest("rings when it is hot", () => assert.equal(rings(360), true));\n`,
    },
    { do: "run", argv: ["node", "--test", "test/"] },
    poll("together with that of ref-sensor"),
    { do: "commit", message: "Ring when it is too hot" },
    { do: "artifact", exports: ["rings"], files: ["src/alarm.js", "test/alarm.test.js"] },
  ]);
}

/** As an agent would: look into its inbox again and again until somebody says so. */
const poll = (text: string): ScriptStep => ({
  do: "run",
  argv: ["sh", "-c", 'until banksman say poll --wait 20 | grep -q "$0"; do :; done', text],
});

/** Another way to take the average, in the line where it is. */
const average = (code: string): ScriptStep => ({
  do: "run",
  argv: [
    "node",
    "-e",
    "const fs = require('fs'), f = 'src/temperature.js'; fs.writeFileSync(f, fs.readFileSync(f, 'utf8').replace(/average = .*/, () => 'average = (values) => ' + process.argv[1] + ';'))",
    code,
  ],
});
