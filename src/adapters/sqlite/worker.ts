import { parentPort, workerData } from "node:worker_threads";
import { Failed } from "../../core/failure/failed.ts";
import { Journal } from "./answer.ts";
import { takeLock } from "./lock.ts";
import type { Reply, Request, WorkerOptions } from "./requests.ts";

/** The journal's own thread: a sync to disk never holds up the thread that answers requests. It holds the lock, too. */
function main(): void {
  const port = parentPort;
  if (port === null) throw new Error("this file is a worker thread's");
  const journal = open(workerData as WorkerOptions);
  if ("failure" in journal) {
    port.postMessage([{ ok: false, failure: journal.failure }] satisfies Reply[]);
    return;
  }
  port.on("message", (batch: Request[]) => {
    port.postMessage(journal.answer(batch));
    if (batch.some((request) => request.do === "close")) port.close();
  });
  port.postMessage([{ ok: true, value: "open" }] satisfies Reply[]);
}

function open(options: WorkerOptions): Journal | Failed {
  try {
    const lock = options.lock === null ? null : takeLock(options.lock.path, options.lock.holder);
    return new Journal(options, () => lock?.release());
  } catch (error) {
    if (error instanceof Failed) return error;
    throw error;
  }
}

main();
