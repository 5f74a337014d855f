import { plural } from "../show/text-layout.ts";
import type { Visit } from "../visit.ts";

/** Length of a body that was sent and is not in the capture: recorders leave files out. 0 where nothing is missing. */
export function missingBytes({ entry }: Visit): number {
  const { method, postData, bodyBytes } = entry.request;
  const isRecorded = postData !== null && (postData.text !== "" || postData.params.length > 0);
  return isRecorded || /^(get|head)$/i.test(method) ? 0 : (bodyBytes ?? 0);
}

/** What to say beside a request whose body is missing. */
export function hintMissingBody(bytes: number): string {
  return `its body of ${plural(bytes, "byte")} was not recorded: write it by hand`;
}

/** A sentence about the requests whose bodies are missing, where there are any. */
export function noteMissingBodies(visits: readonly Visit[]): string[] {
  const count = visits.filter((visit) => missingBytes(visit) > 0).length;
  if (count === 0) return [];
  const [what, who] =
    count === 1
      ? ["The body of 1 request was", "it sends"]
      : [`The bodies of ${count} requests were`, "they send"];
  return [`${what} not recorded, as with most uploads: what ${who} must be written by hand.`];
}
