import { expect, it } from "vitest";
import type { Snapshot } from "../../core/views/snapshot.ts";
import { renderStatus } from "./render.ts";

it("shows what needs a person without a session, too: branches are landed without one", () => {
  const need = { id: "q9", kind: "gate", text: "own/a cannot land by itself", since: "2026-11-18T00:00:00.000Z" };
  const shown = (needsYou: unknown[]) =>
    renderStatus({ session: null, project: "shop", needsYou } as unknown as Snapshot, 0);
  expect(shown([]).split("\n")).toHaveLength(3);
  expect(shown([need])).toMatch(/\n\n.*Needs you.*\n {2}.*q9.* gate: own\/a cannot land by itself\n$/);
});
