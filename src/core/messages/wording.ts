import { counted } from "../text/counted.ts";
import { fenced } from "../text/fenced.ts";
import { onOneLine } from "../text/printable.ts";
import type { Message, StoredMessage } from "./messages.ts";

/** One line that says what a message says, for logs, inboxes and agents. */
export function sentence(message: Message): string {
  switch (message.type) {
    case "agent.status": {
      const { status, message: text, modified_files } = message.payload;
      const files = modified_files.length === 0 ? "" : ` (${counted(modified_files.length, "file")})`;
      return text === null || text === status ? `${status}${files}` : `${status}: ${text}${files}`;
    }
    case "agent.artifact": {
      const { status, exports, modified_files } = message.payload;
      const parts = [
        exports.length > 0 ? `exports ${exports.join(", ")}` : "",
        modified_files.length > 0 ? modified_files.join(", ") : "",
      ];
      return [status, ...parts.filter((part) => part !== "")].join(": ");
    }
    case "agent.blocked":
      return `blocked: needs ${message.payload.needs} from ${message.payload.from}`;
    case "agent.question":
      return message.payload.question;
    case "agent.intent": {
      const paths = message.payload.files.map((claim) => (typeof claim === "string" ? claim : claim.path));
      return `will touch ${paths.join(", ")}: ${message.payload.summary}`;
    }
    case "agent.retract": {
      const { files, by } = message.payload;
      const what = files === null ? "its intent" : files.join(", ");
      return by === undefined ? `gives up ${what}` : `a person takes back what ${message.agent_id} claims: ${what}`;
    }
    case "agent.verified":
      return `${message.agent_id} is verified by ${message.payload.verified_by}${message.payload.message ? `: ${message.payload.message}` : ""}`;
    case "agent.feedback":
      return message.payload.errors.join("\n");
    case "agent.answer":
      return message.payload.re === undefined
        ? message.payload.answer
        : `${message.payload.answer} (to: ${message.payload.re})`;
    case "agent.advanced-main":
      return `${message.merged_branch} landed on ${message.base} as ${message.new_main_sha.slice(0, 12)}`;
    case "agent.learning":
      return `${message.payload.category}: ${message.payload.title}`;
    case "supervisor.verify-now":
      return `verify ${message.branch_id} now`;
  }
}

/** What an agent is told over its channel. Others' words are fenced: to the reader they are data, not orders. */
export function tellAgent(messages: readonly StoredMessage[]): string {
  return messages.map(({ sender, message }) => `Message from ${sender}:\n${fenced(sentence(message))}`).join("\n\n");
}

/** What an agent is told whose claims a person has taken back. */
export const takenBack = (paths: readonly string[]): string =>
  `A person has taken back your claim on ${paths.join(", ")}: leave it to others, and say what you need it for if you do.`;

/** Why a person has refused what an agent asked for, for one that hears of the refusal by a key alone. */
export const refusedBecause = (asked: string, why: string): string =>
  directive(`You were not allowed to do this: ${onOneLine(asked).slice(0, 200)}. The reason: ${why}`);

/** A person's word to an agent, as the seed marks it. */
export const directive = (text: string): string => `[directive] ${text}`;
