import { describe, expect, it } from "vitest";
import { draw, NOW, read } from "../../../../test/epics/sketch.ts";
import type { Instant } from "../../text/ids.ts";
import type { Epic } from "../file/epic.ts";
import { renderEpic } from "../file/render.ts";
import { reset } from "./halt.ts";
import { boundLease, LEASE_MS } from "./lease.ts";
import { planTick } from "./plan.ts";
import { DEFAULT_POLICY } from "./policy.ts";
import { pickEpic } from "./portfolio.ts";

const POLICY = { ...DEFAULT_POLICY, by: "here:1" };
const past = (ms: number) => (NOW + ms) as Instant;
const leased = (until: Instant): Epic => ({ ...read(draw({ items: "a queued" })), lease: { by: "there:1", until } });

/** What the file says after a tick, as the next tick reads it. */
const tickAt = (epic: Epic, now: Instant) => {
  const { next, epic: saved } = planTick(epic, now, [], POLICY);
  return { next, epic: read(renderEpic(saved)) };
};

describe("a lease of another host", () => {
  it("stays as it is while it ends within its own length", () => {
    const epic = leased(past(LEASE_MS));
    expect(boundLease(epic, NOW)).toBe(epic);
  });
  it("dated years ahead holds for its own length from when it was first seen, whenever that is looked at", () => {
    const first = tickAt(leased(Date.parse("2036-01-01T00:00:00Z") as Instant), NOW);
    expect([first.next, first.epic.lease]).toEqual(["noop", { by: "there:1", until: past(LEASE_MS) }]);
    const second = tickAt(first.epic, past(LEASE_MS - 1));
    expect([second.next, second.epic.lease]).toEqual(["noop", first.epic.lease]);
    expect(tickAt(second.epic, past(LEASE_MS)).next).toBe("ask");
  });
  it("is bounded by a loop, too: the epic is picked for that, and only once", () => {
    const epic = leased(past(2 * LEASE_MS));
    expect(pickEpic([{ epic }], NOW, POLICY)).toEqual({ epic });
    expect(pickEpic([{ epic: tickAt(epic, NOW).epic }], NOW, POLICY)).toBeNull();
  });
  it("ends with a person's reset", () => {
    expect(reset(leased(past(2 * LEASE_MS)), NOW, POLICY).epic.lease).toBeNull();
  });
});
