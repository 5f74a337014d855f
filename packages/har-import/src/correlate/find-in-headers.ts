import type { Header } from "../capture.ts";
import type { IsWanted, Tell } from "./sighting.ts";
import { isStableName } from "./stable-name.ts";

/** What a server says about itself, the connection or the body; cookies are the jar's. */
const ofNoUse =
  /^(:|(accept|access-control|cache|content|cross-origin|sec|strict|x-amz-cf|x-cache|x-content|x-frame|x-xss)-|(age|alt-svc|connection|cookie|date|expires|last-modified|nel|pragma|report-to|server|server-timing|set-cookie2?|transfer-encoding|vary|via)$)/;

/** Headers of an answer whose whole value is wanted. */
export function findInHeaders(headers: readonly Header[], isWanted: IsWanted, tell: Tell): void {
  const seen = new Set<string>();
  for (const [written, value] of headers) {
    const name = written.toLowerCase();
    if (seen.has(name) || ofNoUse.test(name)) continue;
    seen.add(name);
    if (!isWanted(value) || !isStableName(name)) continue;
    tell({ value, from: { header: name }, name, within: "", isOneOfMany: false });
  }
}
