import { describe, expect, it } from "vitest";
import { draw, NOW, read } from "../../../../test/epics/sketch.ts";
import { DEFAULT_POLICY } from "./policy.ts";
import { weighRisk } from "./risk.ts";
import { textsOf, tick } from "./tick.ts";

const needsCritic = (notes: string): boolean => {
  const epic = read(draw({ items: "a queued" }).replace("| Item a |", `| ${notes} |`));
  const [item] = epic.items;
  return item !== undefined && weighRisk(epic, item).needsCritic;
};

describe("the critic looks first at", () => {
  it.each([
    "Drop table users",
    "drop the old database",
    "Truncate the orders table",
    "delete from users",
    "Run rm -rf on the cache",
    "Wipe the backups",
    "Migrate the schema",
    "A migration for invoices",
    "Deploy it",
    "Deploys the API to production",
    "Roll out to all customers",
    "Force-push main",
    "Rotate the signing keys",
    "terraform apply",
    "Change the DNS records",
    "Change the CI workflow",
    "npm publish",
    "Flash the firmware",
    "Send e-mails to all users",
    "Refund the customers",
  ])("%j", (title) => expect(needsCritic(title)).toBe(true));
});

describe("no critic is needed for", () => {
  it.each([
    "Login page",
    "Remove the unused import",
    "Drop down menu for the table view",
    "Delete button in the toolbar",
    "Sort tables by name",
    "Test the parser",
  ])("%j", (title) => expect(needsCritic(title)).toBe(false));
});

it("what the planner marks in its plan, or at its dispatch, goes to the critic", () => {
  const moment = { now: NOW, policy: DEFAULT_POLICY };
  const marks = (sketch: Parameters<typeof draw>[0], said: string) => {
    const after = read(textsOf(tick(read(draw(sketch)), [], { said }, moment)).body);
    const [item] = after.items;
    return item !== undefined && weighRisk(after, item).needsCritic;
  };
  const plan = (more: object) => JSON.stringify({ action: "decompose", items: [{ title: "Quiet work", ...more }] });
  expect(marks({ items: "" }, plan({}))).toBe(false);
  expect(marks({ items: "" }, plan({ risk: "high" }))).toBe(true);
  const send = { action: "dispatch", task_id: "a", worker: "claude" };
  expect(marks({ items: "a queued" }, JSON.stringify({ ...send, risk: "high" }))).toBe(true);
});
