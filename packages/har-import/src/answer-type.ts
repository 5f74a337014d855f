import type { CaptureEntry } from "./capture.ts";

/** Returns the media type of a response in lower case, without parameters; "" if neither the browser nor the server says. */
export function contentType({ response }: CaptureEntry): string {
  if (response === null) return "";
  const ofHeader = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const isTold = response.mimeType !== "" && response.mimeType !== "x-unknown";
  return (isTold ? response.mimeType : ofHeader).split(";", 1).join("").trim().toLowerCase();
}

/** Returns true for a response that goes on until one side ends it. */
export function isEventStream(entry: CaptureEntry): boolean {
  return entry.resourceType === "eventsource" || contentType(entry) === "text/event-stream";
}

const jsonLines = /\b(?:nd-?json|jsonl|json-?lines|json-seq)\b|stream\+json/;

/** Returns true for several JSON values in one body. A recording may have just one of them. */
export function isJsonLines(entry: CaptureEntry): boolean {
  return jsonLines.test(contentType(entry));
}
