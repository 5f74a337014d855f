import { exitCodes } from "../../exit-codes.ts";
import type { Ending, Reason } from "./ending.ts";

/** Fewer names are read one by one. */
const fewest = 30;

/**
 * Notes requests of which each object has a name of its own, such as a slug that no rule takes for an id: most names of the run
 * differ in the same segment of their path.
 */
export function scatteredNames({ accounting: { requests } }: Ending): Reason[] {
  if (requests.length < fewest) return [];
  const patterns = new Map<string, { readonly example: string; count: number }>();
  for (const { name } of requests) {
    for (const pattern of patternsOf(name)) {
      const known = patterns.get(pattern);
      if (known === undefined) patterns.set(pattern, { example: name, count: 1 });
      else known.count++;
    }
  }
  const [most] = [...patterns].toSorted(([, left], [, right]) => right.count - left.count);
  if (most === undefined || most[1].count < fewest || most[1].count <= requests.length / 2) return [];
  const [pattern, { example, count }] = most;
  const message =
    `${count} of the ${requests.length} names of requests are like "${example}" but for one segment: ` +
    `give these requests one name, with the option name: "${pattern}"`;
  return [{ code: exitCodes.passed, message }];
}

/** The name with each segment of its path in turn left out; nothing for a name that is no path's. */
function patternsOf(name: string): string[] {
  const [, method = "", path = ""] = /^([A-Z]+ [^/\s]*)(\/\S*)$/.exec(name) ?? [];
  const segments = path.split("/").slice(1);
  return segments.flatMap((segment, index) => {
    if (segment === "" || segment === ":id") return [];
    const others = segments.with(index, ":id");
    return [`${method}/${others.join("/")}`];
  });
}
