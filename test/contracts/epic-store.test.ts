import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createEpicFiles } from "../../src/adapters/system/epic-files.ts";
import { ourselves } from "../../src/adapters/system/holder.ts";
import type { EpicStore } from "../../src/ports/epic-store.ts";
import { FakeEpicStore } from "../fakes/fake-epic-store.ts";

const epicFiles = createEpicFiles(null);
const folders: string[] = [];
const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "bm-epics-"));
  folders.push(path);
  return path;
};
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true });
});

describe.each<readonly [string, () => EpicStore]>([
  ["fake", () => new FakeEpicStore()],
  ["files", () => epicFiles],
])("EpicStore (%s)", (_, make) => {
  it("has what was saved, and nothing where nothing was", async () => {
    const [store, home] = [make(), folder()];
    const path = join(home, "deep", "a.md");
    expect([await store.read(path), await store.list(join(home, "deep"))]).toEqual([null, []]);
    expect(await store.save(path, "one", null)).toBe(true);
    expect(await store.read(path)).toMatchObject({ text: "one" });
    expect(await store.list(join(home, "deep"))).toEqual([path]);
  });

  it("saves only over what was read", async () => {
    const [store, path] = [make(), join(folder(), "a.md")];
    await store.save(path, "one", null);
    const version = (await store.read(path))?.version ?? "";
    expect(await store.save(path, "other", null)).toBe(false);
    expect(await store.save(path, "two", version)).toBe(true);
    expect(await store.save(path, "three", version)).toBe(false);
    expect(await store.read(path)).toMatchObject({ text: "two" });
  });

  it("lets one of many at once save", async () => {
    const [store, path] = [make(), join(folder(), "a.md")];
    await store.save(path, "start", null);
    const version = (await store.read(path))?.version ?? "";
    const saved = await Promise.all(Array.from({ length: 20 }, (_, i) => store.save(path, `by ${i}`, version)));
    expect(saved.filter(Boolean).length).toBe(1);
    expect((await store.read(path))?.text).toBe(`by ${saved.indexOf(true)}`);
  });
});

describe("files", () => {
  it("keeps the file's mode and what a link leads to, and leaves nothing beside it", async () => {
    const home = folder();
    const [path, link] = [join(home, "a.md"), join(home, "link.md")];
    writeFileSync(path, "\uFEFFone");
    chmodSync(path, 0o640);
    symlinkSync(path, link);
    const stored = await epicFiles.read(link);
    expect(stored?.text).toBe("\uFEFFone");
    expect(await epicFiles.save(link, "two", stored?.version ?? "")).toBe(true);
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777, readdirSync(home)]).toEqual([
      "two",
      0o640,
      ["a.md", "link.md"],
    ]);
  });

  it("has no text for what is not one, and does not read what is too long", async () => {
    const path = join(folder(), "a.md");
    writeFileSync(path, Buffer.from([0xff, 0xfe, 0x00]));
    expect(await epicFiles.read(path)).toMatchObject({ text: null });
    truncateSync(path, 2 ** 40);
    expect(await epicFiles.read(path)).toMatchObject({ text: null });
  });

  it("says what it cannot use, which is not nothing", async () => {
    const home = folder();
    mkdirSync(join(home, "a.md"));
    await expect(epicFiles.read(join(home, "a.md"))).rejects.toMatchObject({ failure: { kind: "file.failed" } });
    writeFileSync(join(home, "f"), "");
    await expect(epicFiles.list(join(home, "f"))).rejects.toMatchObject({ failure: { kind: "file.failed" } });
  });

  it("neither reads nor writes through a link that leads out of the repository", async () => {
    const [root, outside] = [realpathSync(folder()), folder()];
    writeFileSync(join(outside, "a.md"), "theirs");
    mkdirSync(join(root, ".banksman/epics"), { recursive: true });
    symlinkSync(join(outside, "a.md"), join(root, ".banksman/epics/a.md"));
    mkdirSync(join(root, "second/.banksman"), { recursive: true });
    symlinkSync(outside, join(root, "second/.banksman/epics"));
    const store = createEpicFiles(root);
    const refused = { failure: { kind: "path.refused" } };
    await expect(store.read(join(root, ".banksman/epics/a.md"))).rejects.toMatchObject(refused);
    await expect(store.save(join(root, ".banksman/epics/a.md"), "ours", null)).rejects.toMatchObject(refused);
    const second = createEpicFiles(join(root, "second"));
    await expect(second.save(join(root, "second/.banksman/epics/new.md"), "ours", null)).rejects.toThrow(/link/);
    await expect(second.list(join(root, "second/.banksman/epics"))).rejects.toMatchObject(refused);
    expect([readdirSync(outside), readFileSync(join(outside, "a.md"), "utf8")]).toEqual([["a.md"], "theirs"]);
  });

  it("goes past the lock of somebody who died, and waits for one who lives", async () => {
    const home = folder();
    const [path, lock] = [join(home, "a.md"), join(home, ".banksman-a.md.lock.tmp")];
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    writeFileSync(lock, JSON.stringify({ pid, host: hostname(), nonce: "ab" }));
    const saved = await Promise.all(Array.from({ length: 8 }, (_, i) => epicFiles.save(path, `by ${i}`, null)));
    expect([saved.filter(Boolean).length, readdirSync(home)]).toEqual([1, ["a.md"]]);
    writeFileSync(lock, JSON.stringify({ pid: process.pid, host: hostname(), nonce: "cd" }));
    expect(await epicFiles.save(path, "x", (await epicFiles.read(path))?.version ?? "")).toBe(false);
  });

  it("goes past what somebody left who died over taking a lock, or over breaking one, and never past a fresh one", async () => {
    const home = folder();
    const [path, lock] = [join(home, "a.md"), join(home, ".banksman-a.md.lock.tmp")];
    const long = new Date(Date.now() - 60_000);
    writeFileSync(lock, "");
    expect(await epicFiles.save(path, "x", null)).toBe(false);
    utimesSync(lock, long, long);
    const { ino, mtimeMs } = statSync(lock);
    const mark = join(home, `.banksman-a.md.lock.${ino}-${Math.floor(mtimeMs)}.tmp`);
    writeFileSync(mark, "");
    utimesSync(mark, long, long);
    const saved = await Promise.all(Array.from({ length: 8 }, (_, i) => epicFiles.save(path, `by ${i}`, null)));
    expect([saved.filter(Boolean).length, readdirSync(home)]).toEqual([1, ["a.md"]]);
  });

  it.skipIf(process.platform !== "linux")(
    "goes past the lock of one whose number another process has now",
    async () => {
      const home = folder();
      const [path, lock] = [join(home, "a.md"), join(home, ".banksman-a.md.lock.tmp")];
      writeFileSync(lock, JSON.stringify({ ...ourselves(), started: 1, nonce: "ab" }));
      expect([await epicFiles.save(path, "x", null), readdirSync(home)]).toEqual([true, ["a.md"]]);
      writeFileSync(lock, JSON.stringify({ ...ourselves(), nonce: "cd" }));
      expect(await epicFiles.save(path, "y", (await epicFiles.read(path))?.version ?? "")).toBe(false);
    },
  );

  it("goes past an old lock of another machine", async () => {
    const home = folder();
    const [path, lock] = [join(home, "a.md"), join(home, ".banksman-a.md.lock.tmp")];
    writeFileSync(lock, JSON.stringify({ pid: 1, host: "another", nonce: "ab" }));
    expect(await epicFiles.save(path, "one", null)).toBe(false);
    const old = Date.now() / 1000 - 60;
    utimesSync(lock, old, old);
    expect([await epicFiles.save(path, "one", null), readdirSync(home)]).toEqual([true, ["a.md"]]);
  });

  it("leaves a file alone that is read-only", async () => {
    const path = join(folder(), "a.md");
    writeFileSync(path, "one");
    chmodSync(path, 0o444);
    const { version = "" } = (await epicFiles.read(path)) ?? {};
    await expect(epicFiles.save(path, "two", version)).rejects.toMatchObject({
      failure: { kind: "file.failed", detail: "it is read-only" },
    });
    expect(readFileSync(path, "utf8")).toBe("one");
  });
});
