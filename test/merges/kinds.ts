import { change, Dice, editLine, move, type Tree } from "./tree.ts";

/** Two sides of a merge and where they come from. What git makes of them is git's to say. */
export interface Scenario {
  readonly base: Tree;
  readonly ours: Tree;
  readonly theirs: Tree;
  /** Settings of the repository for this merge. */
  readonly config?: Readonly<Record<string, string>>;
  readonly history?: "criss-cross" | "main went on";
}

type Kind = (dice: Dice) => Scenario;

const LONG = 30;

/** A file of many lines in a small project, and edits of it by both. */
function edited(dice: Dice, ours: (whole: string) => string, theirs: (whole: string) => string, end = "\n"): Scenario {
  const path = dice.pick(["src/app.ts", "a b.txt", "deep/er/ünï 日本.md", "x"]);
  const whole = dice.lines(LONG, end);
  const base = change(project(dice), { [path]: whole });
  return { base, ours: change(base, { [path]: ours(whole) }), theirs: change(base, { [path]: theirs(whole) }) };
}

const project = (dice: Dice): Tree =>
  change(
    {},
    { README: dice.lines(5), "lib/one": dice.lines(12), "lib/two": dice.lines(12), "lib/three": dice.lines(12) },
  );

/** What both sides do besides: different files, which never meet. */
function withNoise(dice: Dice, scenario: Scenario): Scenario {
  const noisy = (tree: Tree, name: string) =>
    change(tree, {
      [`noise/${name}-${dice.word()}`]: dice.lines(3),
      ...(dice.below(2) === 0 && { [`lib/${name}`]: dice.lines(4) }),
    });
  if (dice.below(2) === 0 || !("lib/one" in scenario.base)) return scenario;
  return { ...scenario, ours: noisy(scenario.ours, "one"), theirs: noisy(scenario.theirs, "two") };
}

const one = (dice: Dice, path: string, from: string | null, ours: string | null, theirs: string | null): Scenario => {
  const base = change(project(dice), from === null ? {} : { [path]: from });
  return { base, ours: change(base, { [path]: ours }), theirs: change(base, { [path]: theirs }) };
};

const KINDS: Readonly<Record<string, Kind>> = {
  "edit/edit, one line": (dice) => {
    const line = dice.below(LONG);
    return edited(
      dice,
      (whole) => editLine(whole, line, "ours\n"),
      (whole) => editLine(whole, line, "theirs\n"),
    );
  },
  "edit/edit, lines beside each other": (dice) => {
    const line = dice.below(LONG - 1);
    return edited(
      dice,
      (whole) => editLine(whole, line, "ours\n"),
      (whole) => editLine(whole, line + 1, "theirs\n"),
    );
  },
  "edit/edit, one line between": (dice) => {
    const line = dice.below(LONG - 2);
    return edited(
      dice,
      (whole) => editLine(whole, line, "ours\n"),
      (whole) => editLine(whole, line + 2, "theirs\n"),
    );
  },
  "edit/edit, far apart": (dice) => {
    const line = dice.below(8);
    return edited(
      dice,
      (whole) => editLine(whole, line, "ours\n"),
      (whole) => editLine(whole, line + 15, "theirs\n"),
    );
  },
  "edit/edit, many places": (dice) => {
    const some = () => Array.from({ length: 1 + dice.below(6) }, () => dice.below(LONG));
    const all = (lines: readonly number[], by: string) => (whole: string) =>
      lines.reduce((done, line) => editLine(done, line, dice.pick([`${by}\n`, "", `${by}\n${by}\n`])), whole);
    return edited(dice, all(some(), "ours"), all(some(), "theirs"));
  },
  "the same edit": (dice) => {
    const line = dice.below(LONG);
    const more = dice.below(3);
    const both = (whole: string) => editLine(whole, line, "both\n");
    return edited(dice, both, (whole) =>
      more === 0 ? both(whole) : editLine(both(whole), LONG - 1 - line, "theirs\n"),
    );
  },
  "both append": (dice) =>
    edited(
      dice,
      (whole) => `${whole}ours\n`,
      (whole) => `${whole}theirs\n`,
    ),
  "no newline at the end": (dice) => {
    const bare = (whole: string) => whole.replace(/\n$/, "");
    const how = dice.pick([
      bare,
      (whole: string) => `${whole}theirs`,
      (whole: string) => editLine(whole, 3, "theirs\n"),
    ]);
    return edited(dice, dice.pick([bare, (whole: string) => `${bare(whole)} ours`]), how);
  },
  "markers in the file": (dice) => {
    const whole = `${dice.lines(4)}<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n${dice.lines(4)}`;
    return one(dice, "doc.md", whole, whole.replace("a\n", "=======\n"), whole.replace("b\n", ">>>>>>>\n"));
  },
  "edit/delete": (dice) => {
    const whole = dice.lines(LONG);
    const sides = [editLine(whole, dice.below(LONG), "edited\n"), null] as const;
    const [ours, theirs] = dice.pick([sides, [sides[1], sides[0]] as const]);
    return one(dice, dice.pick(["gone", "deep/gone"]), whole, ours, theirs);
  },
  "delete/delete": (dice) => one(dice, "gone", dice.lines(LONG), null, null),
  "empty files": (dice) =>
    one(dice, "empty", dice.pick(["", "x\n", null]), dice.pick(["", "ours\n", null]), dice.pick(["", "theirs\n"])),
  "rename/edit": (dice) => {
    const whole = dice.lines(LONG);
    const base = change(project(dice), { old: whole });
    const moved = move(base, "old", dice.pick(["new", "deep/new"]));
    return { base, ours: moved, theirs: change(base, { old: editLine(whole, dice.below(LONG), "theirs\n") }) };
  },
  "rename and edit/edit": (dice) => {
    const whole = dice.lines(LONG);
    const line = dice.below(LONG - 6);
    const base = change(project(dice), { old: whole });
    const ours = change(move(base, "old", "new"), { new: editLine(whole, line, "ours\n") });
    return { base, ours, theirs: change(base, { old: editLine(whole, line + dice.pick([0, 1, 5]), "theirs\n") }) };
  },
  "rename/rename": (dice) => {
    const base = change(project(dice), { old: dice.lines(LONG) });
    return {
      base,
      ours: move(base, "old", "here"),
      theirs: move(base, "old", dice.pick(["there", "here", "deep/here"])),
    };
  },
  "two renames to one name": (dice) => {
    const base = change(project(dice), { p: dice.lines(LONG), q: dice.lines(LONG) });
    return { base, ours: move(base, "p", "same"), theirs: move(base, "q", "same") };
  },
  "rename/delete": (dice) => {
    const base = change(project(dice), { old: dice.lines(LONG) });
    return { base, ours: move(base, "old", "new"), theirs: change(base, { old: null }) };
  },
  "rename/add": (dice) => {
    const base = change(project(dice), { old: dice.lines(LONG) });
    return { base, ours: move(base, "old", "new"), theirs: change(base, { new: dice.lines(LONG) }) };
  },
  "a rename that is too little alike": (dice) => {
    const whole = dice.lines(10);
    const base = change(project(dice), { old: whole });
    const ours = change(base, { old: null, new: `${whole.split("\n").slice(0, 3).join("\n")}\n${dice.lines(8)}` });
    return { base, ours, theirs: change(base, { old: editLine(whole, 1, "theirs\n") }) };
  },
  "a folder renamed, a file added to it": (dice) => {
    const base = change(project(dice), {
      "old/a": dice.lines(LONG),
      "old/b": dice.lines(LONG),
      "old/c/d": dice.lines(LONG),
    });
    const names = Object.keys(base).filter((name) => name.startsWith("old/"));
    const ours = names.reduce((tree, name) => move(tree, name, name.replace("old", "new")), base);
    return {
      base,
      ours,
      theirs: change(base, { [dice.pick(["old/fresh", "old/c/fresh", "old/e/fresh"])]: dice.lines(4) }),
    };
  },
  "a folder renamed to two, a file added to it": (dice) => {
    const base = change(project(dice), { "old/a": dice.lines(LONG), "old/b": dice.lines(LONG) });
    const ours = move(move(base, "old/a", "left/a"), "old/b", "right/b");
    return { base, ours, theirs: change(base, { "old/fresh": dice.lines(4) }) };
  },
  "a folder renamed by both": (dice) => {
    const base = change(project(dice), { "old/a": dice.lines(LONG), "old/b": dice.lines(LONG) });
    const to = (name: string) => move(move(base, "old/a", `${name}/a`), "old/b", `${name}/b`);
    return { base, ours: to("here"), theirs: to(dice.pick(["here", "there"])) };
  },
  "add/add": (dice) => {
    const whole = dice.lines(8);
    return one(dice, "new", null, whole, dice.pick([whole, dice.lines(8), editLine(whole, 2, "theirs\n")]));
  },
  mode: (dice) => {
    const whole = dice.lines(LONG);
    const base = change(project(dice), { run: whole });
    const ours = change(base, { run: { file: dice.pick([whole, editLine(whole, 3, "ours\n")]), executable: true } });
    return {
      base,
      ours,
      theirs: change(base, { run: dice.pick([whole, editLine(whole, 3, "theirs\n"), editLine(whole, 20, "x\n")]) }),
    };
  },
  "add/add of other modes": (dice) => {
    const base = project(dice);
    const whole = dice.lines(4);
    return {
      base,
      ours: change(base, { run: { file: whole, executable: true } }),
      theirs: change(base, { run: whole }),
    };
  },
  binary: (dice) => {
    const bytes = (n: number) => `\0\u0001${n}\u00ff${"\u0080".repeat(50)}`;
    return one(dice, "image.png", bytes(0), bytes(1), bytes(dice.below(3)));
  },
  "binary on one side": (dice) => one(dice, "data", "text\n", "text\0\n", "other text\n"),
  CRLF: (dice) => {
    const line = dice.below(LONG);
    const by = (name: string) => (whole: string) => editLine(whole, line, `${name}\r\n`);
    return edited(
      dice,
      by("ours"),
      dice.pick([by("theirs"), (whole: string) => editLine(whole, (line + 9) % LONG, "theirs\r\n")]),
      "\r\n",
    );
  },
  "CRLF against LF": (dice) => {
    const line = dice.below(LONG);
    const unix = (whole: string) => whole.replaceAll("\r\n", "\n");
    return edited(dice, unix, dice.pick([unix, (whole: string) => editLine(whole, line, "theirs\r\n")]), "\r\n");
  },
  "CRLF in the checkout": (dice) => {
    const whole = dice.lines(LONG);
    const scenario = one(dice, "a.txt", whole, whole, editLine(whole, 4, "theirs\n"));
    const attributes = { ".gitattributes": "*.txt text\n" };
    const ours = change(scenario.ours, {
      ...attributes,
      "a.txt": editLine(whole, dice.pick([4, 20]), "ours\n").replaceAll("\n", "\r\n"),
    });
    return { base: change(scenario.base, attributes), ours, theirs: change(scenario.theirs, attributes) };
  },
  submodule: (dice) => {
    const base = change(project(dice), { sub: { submodule: 0 } });
    const theirs = dice.pick([1, 2, 3] as const);
    return {
      base,
      ours: change(base, { sub: { submodule: dice.pick([1, 2] as const) } }),
      theirs: change(base, { sub: { submodule: theirs } }),
    };
  },
  "submodule on one side": (dice) => {
    const base = change(project(dice), { sub: { submodule: 0 } });
    return { base, ours: change(base, { sub: { submodule: 1 } }), theirs: change(base, { README: dice.lines(4) }) };
  },
  "submodule against a file": (dice) => {
    const base = project(dice);
    return { base, ours: change(base, { sub: dice.lines(4) }), theirs: change(base, { sub: { submodule: 0 } }) };
  },
  "submodule removed": (dice) => {
    const base = change(project(dice), { sub: { submodule: 0 } });
    return { base, ours: change(base, { sub: { submodule: 1 } }), theirs: change(base, { sub: null }) };
  },
  "directory/file": (dice) => {
    const base = change(project(dice), dice.below(2) === 0 ? {} : { place: dice.lines(6) });
    const theirs = change(base, { place: null, "place/inside": dice.lines(4) });
    return dice.below(2) === 0
      ? { base, ours: change(base, { place: dice.lines(5) }), theirs }
      : { base, ours: theirs, theirs: change(base, { place: dice.lines(5) }) };
  },
  "link against file": (dice) => {
    const base = change(project(dice), { at: dice.lines(5) });
    return {
      base,
      ours: change(base, { at: { link: "README" } }),
      theirs: change(base, { at: dice.pick([dice.lines(5), { link: "lib/one" }]) }),
    };
  },
  "merge=union": (dice) => {
    const whole = dice.lines(5);
    const scenario = one(dice, "CHANGES", whole, `${whole}ours\n`, `${whole}theirs\n`);
    const attributes = {
      ".gitattributes": dice.pick(["CHANGES merge=union\n", "CHANGES -merge\n", "CHANGES merge=binary\n"]),
    };
    const [base, ours, theirs] = [scenario.base, scenario.ours, scenario.theirs].map((tree) =>
      change(tree, attributes),
    );
    return { base, ours, theirs } as Scenario;
  },
  "settings of the repository": (dice) => {
    const whole = dice.lines(LONG);
    const base = change(project(dice), { "old/a": whole, "old/b": dice.lines(LONG) });
    const ours = move(move(base, "old/a", "new/a"), "old/b", "new/b");
    const theirs = change(base, { "old/a": editLine(whole, 3, "theirs\n"), "old/fresh": dice.lines(4) });
    const config = dice.pick<Readonly<Record<string, string>>>([
      { "merge.renames": "false" },
      { "merge.directoryRenames": "true" },
      { "merge.directoryRenames": "false" },
      { "merge.conflictStyle": "diff3" },
      { "diff.renameLimit": "1" },
    ]);
    return { base, ours, theirs, config };
  },
  "two merge bases": (dice) => {
    const line = dice.below(LONG);
    const scenario = edited(
      dice,
      (whole) => editLine(whole, line, "ours\n"),
      (whole) => editLine(whole, dice.below(LONG), "theirs\n"),
    );
    return { ...scenario, history: "criss-cross" };
  },
  "main went on, one side has it": (dice) => {
    const line = dice.below(LONG);
    const scenario = edited(
      dice,
      (whole) => editLine(whole, line, "ours\n"),
      (whole) => editLine(whole, dice.pick([line, 29 - line]), "theirs\n"),
    );
    return { ...scenario, history: "main went on" };
  },
};

export const KIND_NAMES: readonly string[] = Object.keys(KINDS);

/** The n-th merge of a seed: kinds in turn, so that each comes up equally often. */
export function scenario(
  seed: number,
  n: number,
): { readonly kind: string; readonly scenario: Scenario; readonly dice: Dice } {
  const dice = new Dice(seed * 7919 + n);
  const kind = KIND_NAMES[n % KIND_NAMES.length] as string;
  const made = (KINDS[kind] as Kind)(dice);
  return { kind, scenario: withNoise(dice, made), dice };
}
