import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineCutter } from "../../core/text/lines.ts";
import { paneLines, readPane } from "./read-panes.ts";
import { type Heard, ReplyReader } from "./reply-reader.ts";

/** Lines as an agent would choose them to be taken for tmux's own. */
const hostile = fc.oneof(
  fc.constantFrom(
    "%exit",
    "%exit server exited",
    "%end 1 1 1",
    "%begin 1 1 1",
    "%error 1 1 1",
    "%output %1 x",
    "",
    "%",
  ),
  fc
    .tuple(fc.constantFrom("%begin", "%end", "%error", " %end"), fc.nat(3), fc.nat(3), fc.nat(2))
    .map((each) => each.join(" ")),
  fc.string().map((text) => text.replaceAll("\n", " ")),
);

const block = fc.record({
  time: fc.nat(3),
  flags: fc.constantFrom(0, 1),
  lines: fc.array(hostile),
  refused: fc.boolean(),
  /** What tmux says between two blocks. */
  notices: fc.array(fc.constantFrom("%session-changed $0 x", "%window-renamed @1 %end 1 1 1", "%message %exit")),
});

describe("replies", () => {
  it("are told apart whatever they hold, and however they arrive in pieces", () => {
    fc.assert(
      fc.property(fc.array(block), fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (blocks, cuts) => {
        const named = blocks.map((each, i) => {
          const name = `${each.time} ${i + 10} ${each.flags}`;
          return {
            ...each,
            name,
            lines: each.lines.filter((line) => line !== `%end ${name}` && line !== `%error ${name}`),
          };
        });
        const text = named
          .flatMap(({ name, lines, refused, notices }) => [
            ...notices,
            `%begin ${name}`,
            ...lines,
            `${refused ? "%error" : "%end"} ${name}`,
          ])
          .map((line) => `${line}\n`)
          .join("");
        const expected = named.map(({ flags, lines, refused }) =>
          flags === 1 ? { is: "reply", lines, refused } : { is: "other" },
        );
        expect(heardIn(text, cuts)).toEqual(expected);
      }),
    );
  });

  it("end with tmux's own word for it, and only outside of them", () => {
    expect(heardIn("%begin 1 2 1\n%exit no\n%end 1 2 1\n%exit server exited\n", [7])).toEqual([
      { is: "reply", lines: ["%exit no"], refused: false },
      { is: "exit", why: "server exited" },
    ]);
    expect(heardIn("%exited\n%exit\n", [7])).toEqual([{ is: "exit", why: "" }]);
  });
});

describe("panes", () => {
  const fields = (path: string) =>
    ["%7", "@1", "agent", "a", "r", "1", "1", "0", "", "", "0", "1", "2", "3", "4", "", "sh\\ x", path].join(
      "<|banksman|>",
    );

  it("are told apart where folders have tmux's own words for names", () => {
    const quoted = "/w/a\n\\%end\\ 1\\ 1\\ 1\n\\%exit\\<\\|banksman\\|\\>";
    const panes = paneLines([...fields(quoted).split("\n"), ...fields("/w/b").split("\n")]).map(readPane);
    expect(panes.map((pane) => pane?.path)).toEqual(["/w/a\n%end 1 1 1\n%exit<|banksman|>", "/w/b"]);
  });
});

function heardIn(text: string, cuts: readonly number[]): Heard[] {
  const [cutter, reader] = [new LineCutter(1_000_000), new ReplyReader()];
  const heard: Heard[] = [];
  for (let at = 0, i = 0; at < text.length; i++) {
    const size = cuts[i % cuts.length] ?? 1;
    for (const line of cutter.push(text.slice(at, at + size)))
      heard.push(...[reader.read(line)].filter((each) => each !== null));
    at += size;
  }
  return heard;
}

describe("what tmux says of a window by itself", () => {
  const read = (line: string) => new ReplyReader().read(line);
  it("is read: which one, how large, and whether one of its panes fills it", () => {
    const layout = "4d5b,120x39,0,0[120x19,0,0,0,120x19,0,20,1]";
    expect(read(`%layout-change @3 ${layout} ${layout} *`)).toEqual({
      is: "layout",
      layout: { window: "@3", size: { width: 120, height: 39 }, zoomed: false },
    });
    expect(read(`%layout-change @3 ${layout} ${layout} *Z`)).toMatchObject({ layout: { zoomed: true } });
  });
  it("is nothing where it is something else", () =>
    expect(["%layout-change", "%layout-change @x 1,2x3, y *", "%window-add @1"].map(read)).toEqual([null, null, null]));
});
