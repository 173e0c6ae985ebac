import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "../../broker/client.ts";
import type { VerificationView } from "../../core/gates/view.ts";
import type { LandingView } from "../../core/landing/view.ts";
import { renderRunning } from "../show/render-gates.ts";
import type { createStatusLine } from "../show/status-line.ts";
import { ask } from "../supervisor/connect.ts";

const LOOK_EVERY_MS = 200;

type StatusLine = ReturnType<typeof createStatusLine>;

/** Looks at what is verified until all of it has a verdict. */
export async function followVerifications(
  connection: Connection,
  names: readonly string[],
  line: StatusLine | null,
): Promise<VerificationView[]> {
  for (;;) {
    const views = await Promise.all(
      names.map((name) => ask<VerificationView>(connection, `/verification?name=${encodeURIComponent(name)}`)),
    );
    const running = views.filter(({ verdict }) => verdict === "running");
    if (running.length === 0) {
      line?.clear();
      return views;
    }
    for (const view of running.slice(0, 1)) line?.show(renderRunning(view), keyOf(view));
    await sleep(LOOK_EVERY_MS);
  }
}

const keyOf = ({ ref, because, gates }: VerificationView): string =>
  `${ref} ${because} ${gates.find(({ line }) => line !== undefined)?.name ?? ""}`;

/** Looks at the landing until nothing is under way; `onChange` hears whatever is new. */
export async function followLanding(
  connection: Connection,
  onChange: (view: LandingView) => void,
): Promise<LandingView> {
  for (let shown = ""; ; ) {
    const view = await ask<LandingView>(connection, "/landing");
    const { seconds: _, ...rest } = view;
    if (JSON.stringify(rest) !== shown) onChange(view);
    shown = JSON.stringify(rest);
    if (!view.running) return view;
    await sleep(LOOK_EVERY_MS);
  }
}
