import type { IsWanted, Tell } from "./sighting.ts";
import { isStableName } from "./stable-name.ts";

/** Parameters and segments, wanted ones, of an address that a server sent the browser to. */
export function findInAddress(address: string, base: string, isWanted: IsWanted, tell: Tell): void {
  const url = URL.parse(address, base);
  if (url === null) return;
  findInPath(url.pathname, isWanted, tell);
  const fragment = url.hash.slice(1);
  const inFragment = new URLSearchParams(fragment.slice(fragment.indexOf("?") + 1));
  for (const parameters of [url.searchParams, inFragment]) {
    for (const [name, value] of parameters) {
      if (!isWanted(value) || !isStableName(name)) continue;
      tell({ value, from: { query: name }, name, within: "", isOneOfMany: false });
    }
  }
}

/** Segments are counted from the end: what is made has its id there, wherever the site is mounted. */
function findInPath(path: string, isWanted: IsWanted, tell: Tell): void {
  const segments = path.split("/").filter(Boolean).map(decode);
  for (const [index, value] of segments.entries()) {
    const name = segments[index - 1] ?? "";
    if (!/\d/.test(value) || !isWanted(value) || !isStableName(name)) continue;
    tell({ value, from: { segment: index - segments.length }, name, within: "", isOneOfMany: false });
  }
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
