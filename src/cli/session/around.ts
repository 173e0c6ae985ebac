import type { SessionSettings } from "../../core/session/settings.ts";
import type { Repository } from "../wire/find-repository.ts";
import type { wirePorts } from "../wire/wire-ports.ts";

/** Where a command works, and what it works with. */
export interface Around {
  readonly repository: Repository;
  readonly ports: ReturnType<typeof wirePorts>;
  readonly settings: SessionSettings;
}
