import type { CapturedBody } from "./capture-model.ts";
import { type EntryRequest, type PostData, headerOf } from "./capture.ts";
import { plural } from "./printable.ts";
import type { Visit } from "./visit.ts";

const utf8 = new TextEncoder();

/** Returns the length of a body as recorded; null if only its fields were recorded. */
function recordedBytes({ text, params, isBase64 }: PostData): number | null {
  if (text === "") return params.length === 0 ? 0 : null;
  if (!isBase64) return utf8.encode(text).length;
  return Math.floor((text.replace(/[\s=]+/g, "").length * 3) / 4);
}

/** Returns how many bytes were sent but not recorded: recorders leave files out. 0 if nothing is missing. */
export function missingBytes({ method, headers, postData, bodyBytes }: EntryRequest): number {
  if (/^(get|head)$/i.test(method)) return 0;
  const recorded = postData === null ? 0 : recordedBytes(postData);
  // Recorders decompress bodies, but record the compressed length.
  const isComparable = recorded === 0 || headerOf(headers, "content-encoding") === null;
  return recorded === null || !isComparable ? 0 : Math.max(0, (bodyBytes ?? 0) - recorded);
}

/** Returns the hint for a request whose body was not recorded in full. Missing files have a separate hint. */
export function hintsMissingBody(request: EntryRequest, body: CapturedBody | null): string[] {
  const missing = missingBytes(request);
  if (missing === 0 || lacksFileContent(body)) return [];
  if (body === null)
    return [`the request body, ${plural(missing, "byte")}, was not recorded: add it by hand`];
  return [`${plural(missing, "byte")} of the request body were not recorded: complete it by hand`];
}

/** True if the content of a file in the body is missing. */
function lacksFileContent(body: CapturedBody | null): boolean {
  return body?.kind === "multipart" && body.parts.some(({ file }) => file !== undefined);
}

/**
 * Returns sentences about requests whose bodies are missing or withheld; none if there are no such requests.
 */
export function noteMissingBodies(visits: readonly Visit[]): string[] {
  const requests = visits.map(({ entry }) => entry.request);
  const withheld = requests.filter(({ postData }) => isWithheld(postData)).length;
  const missing = requests.filter(
    (request) => !isWithheld(request.postData) && missingBytes(request) > 0,
  ).length;
  return [
    ...(missing === 0
      ? []
      : [`${noteCount(missing)} not recorded in full, as is usual for uploads. ${advice}`]),
    ...(withheld === 0
      ? []
      : [`${noteCount(withheld)} omitted: bodies over 8 MiB are not searched for secrets. ${advice}`]),
  ];
}

const advice = "Comments in the test say how to add what is missing.";

function noteCount(count: number): string {
  return count === 1 ? "1 request body was" : `${count} request bodies were`;
}

/** Searching a larger body for secrets takes seconds and hundreds of megabytes. */
const maxSearchedCharacters = 8 * 2 ** 20;

/** Returns true for a body that is too large to be searched for secrets. It is not sent, because it may contain some. */
export function isWithheld(postData: PostData | null): boolean {
  return postData !== null && postData.text.length > maxSearchedCharacters;
}

/** Returns the hint for a request whose body is withheld. */
export function hintWithheldBody(): string {
  return "request body omitted: bodies over 8 MiB are not searched for secrets. Add it by hand";
}
