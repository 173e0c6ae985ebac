import { type Explainers, oneLine, say } from "./words.ts";

export const SUPERVISOR: Explainers<"supervisor" | "journal" | "log" | "store" | "request" | "watch"> = {
  "watch.refused": (failure) =>
    say(
      `${failure.folder} cannot be watched: ${oneLine(failure.detail)}`,
      "banksman looks for changes every 2 s instead; on Linux `sysctl fs.inotify.max_user_watches` says how many folders can be watched.",
    ),
  "supervisor.other": (failure) =>
    say(
      `Another background process supervises this repository${failure.pid ? `: pid ${failure.pid}${failure.url ? ` at ${failure.url}` : ""}` : ""}.`,
      failure.state === null
        ? "Talk to it with `banksman status`, or end it with `banksman serve --stop`."
        : `It keeps its state in ${failure.state}: use the HOME or BANKSMAN_STATE_DIR it was started with, or end it first.`,
    ),
  "supervisor.elsewhere": (failure) =>
    say(
      `A session of this repository is kept in ${failure.state}, which was made with another HOME or BANKSMAN_STATE_DIR.`,
      "Go on with those, or end that session there with `banksman purge`. If nobody needs it, delete that folder.",
    ),
  "supervisor.silent": (failure) =>
    say(
      `The background process${failure.pid ? ` (pid ${failure.pid})` : ""} holds this repository but does not answer.`,
      failure.pid
        ? `If it is stopped, continue it: \`kill -CONT ${failure.pid}\`; if it hangs, end it: \`kill -9 ${failure.pid}\`. Nothing is lost.`
        : "Wait a moment and try again.",
    ),
  "supervisor.start-failed": (failure) =>
    say(`The background process did not start: ${oneLine(failure.detail)}`, `Its log is ${failure.log}.`),
  "supervisor.protocol": (failure) =>
    say(
      `The running background process speaks protocol ${failure.theirs}, this command ${failure.ours}.`,
      "Run `banksman serve --restart`; agents keep running.",
    ),
  "supervisor.none": () => say("No background process is running here.", "`banksman start` starts one."),
  "journal.newer": (failure) =>
    say(
      `${failure.path} was written by a newer banksman (schema ${failure.found}, this one knows ${failure.known}).`,
      "Update banksman; the journal was not touched.",
    ),
  "journal.older": (failure) =>
    say(
      `${failure.path} was written by an older banksman.`,
      "`banksman start` brings it up to date, and keeps a copy.",
    ),
  "journal.empty": (failure) =>
    say(
      `The journal ${failure.path} is empty: what it held is lost, after a power cut or a disk error perhaps.`,
      "Put a copy back, or remove that file to start afresh: worktrees, branches and backups stay.",
    ),
  "journal.unreadable": (failure) =>
    say(
      `The journal ${failure.path} cannot be read: ${oneLine(failure.detail)}`,
      "Move it away to start afresh (worktrees and branches stay), or restore the copy beside it.",
    ),
  "log.gone": (failure) =>
    say(
      `Messages up to ${failure.kept} are no longer kept: what came after ${failure.since} is incomplete.`,
      `Go on from ${failure.kept} (since=${failure.kept}); \`broker.keep_messages\` and \`broker.keep_days\` say how much is kept.`,
    ),
  "store.full": () => say("The disk is full: nothing was stored.", "Free some space and send it again."),
  "store.moved": () => say("The journal moved on in between: nothing was stored.", "Send it again."),
  "store.broken": (failure) =>
    say(
      `The journal cannot be written: ${oneLine(failure.detail)}`,
      "Nothing was acknowledged that is not stored. Check the disk; the background process tries again by itself.",
    ),
  "request.refused": (failure) =>
    say(
      failure.message,
      failure.status === 401
        ? "The token is not valid here; run the command again."
        : failure.status === 403
          ? "Only a person may ask for this."
          : "Correct the request and send it again.",
    ),
};
