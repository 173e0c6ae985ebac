import type { Chapter } from "../stage.ts";

export const nothingIsLost: Chapter = {
  title: "Nothing is lost",
  async play(stage) {
    stage.say("fix-rounding left an uncommitted note behind. Removing it without a word is refused:\n");
    await stage
      .show("remove", "fix-rounding")
      .catch((error: Error) => stage.say(error.message.split("\n").slice(1).join("\n")));
    await stage.show("remove", "fix-rounding", "--force");
    await stage.show("restore", "fix-rounding");
    stage.say(
      `  NOTES.md, byte for byte: ${JSON.stringify(await stage.program("cat", [".banksman/worktrees/fix-rounding/NOTES.md"], stage.root))}`,
    );
  },
};
