import type { PostData } from "../capture.ts";
import { plural } from "../printable.ts";
import type { Visit } from "../visit.ts";

/** Length of a body that was sent and is not in the capture: recorders leave files out. 0 where nothing is missing. */
export function missingBytes({ entry }: Visit): number {
  const { method, postData, bodyBytes } = entry.request;
  const isRecorded = postData !== null && (postData.text !== "" || postData.params.length > 0);
  return isRecorded || /^(get|head)$/i.test(method) ? 0 : (bodyBytes ?? 0);
}

/** Returns the hint for a request whose body was not recorded. */
export function hintMissingBody(bytes: number): string {
  return `the request body, ${plural(bytes, "byte")}, was not recorded: add it by hand`;
}

/** A sentence about the requests whose bodies are missing, where there are any. */
export function noteMissingBodies(visits: readonly Visit[]): string[] {
  const count = visits.filter((visit) => missingBytes(visit) > 0).length;
  if (count === 0) return [];
  const [what, them] = count === 1 ? ["1 request body was", "it"] : [`${count} request bodies were`, "them"];
  return [`${what} not recorded, as is usual for uploads. Add ${them} by hand.`];
}

/** To search more for secrets takes seconds, and hundreds of megabytes. */
const maxSearchedCharacters = 8 * 2 ** 20;

/** Returns true for a body that is too large to be searched for secrets. It is not sent, because it may contain some. */
export function isWithheld(postData: PostData | null): boolean {
  return postData !== null && postData.text.length > maxSearchedCharacters;
}

/** Returns the hint for a request whose body is withheld. */
export function hintWithheldBody(): string {
  return "request body omitted: bodies over 8 MiB are not searched for secrets. Add it by hand";
}
