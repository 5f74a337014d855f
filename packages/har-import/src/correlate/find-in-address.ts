import type { IsWanted, Tell } from "./sighting.ts";
import { isStableName } from "./stable-name.ts";

/** Parameters, wanted ones, of an address that a server sent the browser to. */
export function findInAddress(address: string, base: string, isWanted: IsWanted, tell: Tell): void {
  const url = URL.parse(address, base);
  if (url === null) return;
  const fragment = url.hash.slice(1);
  const inFragment = new URLSearchParams(fragment.slice(fragment.indexOf("?") + 1));
  for (const parameters of [url.searchParams, inFragment]) {
    for (const [name, value] of parameters) {
      if (!isWanted(value) || !isStableName(name)) continue;
      tell({ value, from: { query: name }, name, within: "", isOneOfMany: false });
    }
  }
}
