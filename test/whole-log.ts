import type { StoredMessage } from "../src/core/messages/messages.ts";
import type { Store } from "../src/ports/store.ts";

/** Everything in the log, page after page. */
export async function wholeLog(store: Pick<Store, "log">): Promise<StoredMessage[]> {
  const all: StoredMessage[] = [];
  for (;;) {
    const page = await store.log(all.at(-1)?.seq ?? 0, 10_000);
    if (page.length === 0) return all;
    all.push(...page);
  }
}
