import { below } from "../../core/text/paths.ts";
import type { Ports } from "../../ports/ports.ts";
import type { Place } from "../loop/place.ts";

/**
 * Makes a log ready before anybody appends to it: logs lie in the checkout, where somebody may have put a link in their
 * place. Rejects where that is so.
 */
export async function layLog(
  { files, place }: Pick<Ports, "files"> & { readonly place: Pick<Place, "root"> },
  log: string,
): Promise<void> {
  if (below(log, place.root)) await files.makeLogInside(place.root, log.slice(place.root.length + 1));
}
