import { mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { createParcelWatcher } from "../../src/adapters/watcher/parcel.ts";
import { createWatcher } from "../../src/adapters/watcher/watcher.ts";
import { Failed } from "../../src/core/failure/failed.ts";
import type { Watcher } from "../../src/ports/watcher.ts";
import { FakeWatcher } from "../fakes/fake-watcher.ts";

interface Ground {
  readonly watcher: Watcher;
  readonly folder: string;
  write(name: string): void;
  rename(from: string, to: string): void;
  remove(name: string): void;
}

/** As the supervisor starts it, from the built package. */
const ownProcess = async () => [process.execPath, fileURLToPath(new URL("../../dist/watcher.mjs", import.meta.url))];

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

function realGround(watcher: Watcher): Ground {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "bm-watch-")));
  endings.push(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["deep/er", "ignored/deep"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "old"), "old");
  return {
    watcher,
    folder,
    write: (name) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), String(Math.random()));
    },
    rename: (from, to) => renameSync(join(folder, from), join(folder, to)),
    remove: (name) => rmSync(join(folder, name)),
  };
}

function fakeGround(): Ground {
  const watcher = new FakeWatcher();
  const change = (...names: string[]) => {
    for (const name of names) watcher.change(`/ground/${name}`);
  };
  watcher.refused.add("/ground/nowhere");
  return { watcher, folder: "/ground", write: change, rename: change, remove: change };
}

describe.each([
  ["fake", fakeGround],
  ["parcel", () => realGround(createParcelWatcher())],
  ["a process of its own", () => realGround(createWatcher(ownProcess))],
] as const)("Watcher (%s)", (_, makeGround) => {
  /** What is heard; `until` resolves with the first hint that speaks of a path, or when it says that it lost count. */
  async function watched(ground = makeGround()) {
    const heard: string[] = [];
    const waiting = new Map<string, () => void>();
    const end = await ground.watcher.watch({
      folder: ground.folder,
      ignore: [`${ground.folder}/ignored`],
      onChanged: (paths) => {
        for (const path of paths.map((each) => each.slice(ground.folder.length + 1))) {
          heard.push(path);
          for (const [name, resolve] of waiting) if (path === name || name.startsWith(`${path}/`)) resolve();
        }
      },
      onLost: (detail) => {
        heard.push(`lost: ${detail}`);
        for (const resolve of waiting.values()) resolve();
      },
    });
    endings.push(end);
    const until = (name: string, work: () => void) =>
      new Promise<void>((resolve) => {
        waiting.set(name, resolve);
        work();
      });
    return { ...ground, heard, until, end };
  }

  it("hints at what is written, renamed and removed, in folders made later too", async () => {
    const { until, write, rename, remove } = await watched();
    await until("new", () => write("new"));
    await until("deep/er/new", () => write("deep/er/new"));
    await until("made/later/file", () => write("made/later/file"));
    await until("renamed", () => rename("old", "renamed"));
    await until("new", () => remove("new"));
  });

  it("says nothing of what is ignored", async () => {
    const { until, write, heard } = await watched();
    write("ignored/one");
    write("ignored/deep/two");
    await until("last", () => write("last"));
    expect(heard.filter((path) => path.startsWith("ignored"))).toEqual([]);
  });

  it("says nothing any more once it was ended", async () => {
    const first = await watched();
    await first.end();
    const second = await watched(first);
    await second.until("new", () => second.write("new"));
    expect(first.heard).toEqual([]);
  });

  it("refuses a folder that cannot be watched", async () => {
    const { watcher, folder } = makeGround();
    const order = { folder: `${folder}/nowhere`, ignore: [], onChanged: () => undefined, onLost: () => undefined };
    const refusal = await watcher.watch(order).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Failed);
    expect((refusal as Failed).failure.kind).toBe("watch.refused");
  });
});

/** Watches anew whenever it has to, as whoever depends on it does. */
async function keptWatch(folder: string) {
  const watcher = createParcelWatcher();
  let onPath = (_: string) => {};
  let onAnew = () => {};
  let end = async () => {};
  const anew = async (): Promise<void> => {
    await end();
    end = await watcher.watch({
      folder,
      ignore: [],
      onChanged: (paths) => {
        for (const path of paths) onPath(path.slice(folder.length + 1));
      },
      onLost: () => {
        again = again.then(anew).then(() => onAnew());
      },
    });
  };
  let again = anew();
  await again;
  endings.push(() => end());
  /** Resolves when the path is hinted at. A watch that was made anew has heard nothing of what was before: done again. */
  const heard = (name: string, work: () => void) =>
    new Promise<void>((resolve) => {
      onPath = (path) => path === name && resolve();
      onAnew = work;
      work();
    });
  /** The same, or when it was watched anew. */
  const settled = (name: string, work: () => void) =>
    new Promise<void>((resolve) => {
      onPath = (path) => path === name && resolve();
      onAnew = resolve;
      work();
    });
  return { heard, settled };
}

describe("Watcher (parcel), of folders that come with folders in them", () => {
  it("hears them, watching anew where it lost count", async () => {
    const { folder, write, rename } = realGround(createParcelWatcher());
    const { heard, settled } = await keptWatch(folder);
    await settled("a/b/c", () => mkdirSync(join(folder, "a/b/c"), { recursive: true }));
    await heard("a/b/c/file", () => write("a/b/c/file"));
    await settled("moved/b/c", () => rename("a", "moved"));
    await heard("moved/b/c/file", () => write("moved/b/c/file"));
  });

  it("hears them after folders were removed that it knew by another name", async () => {
    const { folder, write, rename } = realGround(createParcelWatcher());
    const { heard, settled } = await keptWatch(folder);
    for (const round of ["x", "y", "z"]) {
      await settled(`${round}/er`, () => rename("deep", round));
      await heard("file", () => {
        rmSync(join(folder, round), { recursive: true, force: true });
        write("file");
      });
      await settled("deep/er", () => mkdirSync(join(folder, "deep/er"), { recursive: true }));
      await heard("deep/er/file", () => write("deep/er/file"));
    }
  });

  it("says so when the folder itself is gone", async () => {
    const { watcher, folder } = realGround(createParcelWatcher());
    const lost = await new Promise<string>((resolve) => {
      const order = { folder, ignore: [], onChanged: () => undefined, onLost: resolve };
      void watcher.watch(order).then((end) => {
        endings.push(end);
        rmSync(folder, { recursive: true });
      });
    });
    expect(lost).toBe("the folder is gone");
  });
});

describe("a watching process", () => {
  /** The process is a stand-in that never answers, or the real one behind a shell that writes down who it is. */
  const order = (folder: string, heard: string[]) => ({
    folder,
    ignore: [],
    onChanged: (paths: readonly string[]) => void heard.push(...paths),
    onLost: (detail: string) => void heard.push(detail),
  });

  it("that is killed costs nobody but itself: who watched hears so, and the next watch works", async () => {
    const ground = realGround(createParcelWatcher());
    const file = join(ground.folder, "ignored/pid");
    const [node = "", program = ""] = await ownProcess();
    const watcher = createWatcher(async () => ["sh", "-c", 'echo $$ > "$0"; exec "$1" "$2"', file, node, program]);
    const heard: string[] = [];
    await watcher.watch(order(ground.folder, heard));
    process.kill(Number(readFileSync(file, "utf8")), "SIGKILL");
    while (!heard.includes("the process that watches has ended")) await new Promise(setImmediate);
    const again: string[] = [];
    endings.push(await watcher.watch(order(ground.folder, again)));
    ground.write("new");
    while (!again.some((path) => path.endsWith("/new"))) await new Promise(setImmediate);
  });

  it("that falls silent is ended, and refuses what it was asked", async () => {
    const silent = async () => [process.execPath, "-e", "process.stdin.resume()"];
    const watcher = createWatcher(silent, { pingMs: 20, silenceMs: 60 });
    const refusal = await watcher.watch(order("/", [])).catch((error: unknown) => error);
    expect((refusal as Failed).failure).toMatchObject({
      kind: "watch.refused",
      detail: "the process that watches has fallen silent",
    });
  });

  it("that keeps ending is left alone for a while", async () => {
    const watcher = createWatcher(async () => [process.execPath, "-e", "process.exit(1)"]);
    const details: unknown[] = [];
    for (let i = 0; i < 4; i++)
      details.push(
        await watcher.watch(order("/", [])).catch(({ failure }: Failed) => (failure as { detail: string }).detail),
      );
    expect(details.at(-1)).toBe("the process that watches keeps ending");
  });
});
