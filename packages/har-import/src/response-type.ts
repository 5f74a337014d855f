import { type CaptureEntry, headerOf } from "./capture.ts";

/** Returns the media type of a response, in lower case and without parameters; "" if none was recorded. */
export function contentType({ response }: CaptureEntry): string {
  if (response === null) return "";
  const headerType = headerOf(response.headers, "content-type") ?? "";
  const isKnown = response.mimeType !== "" && response.mimeType !== "x-unknown";
  return (isKnown ? response.mimeType : headerType).split(";", 1).join("").trim().toLowerCase();
}

/** Returns true for an event stream: a response that stays open until one side closes it. */
export function isEventStream(entry: CaptureEntry): boolean {
  return entry.resourceType === "eventsource" || contentType(entry) === "text/event-stream";
}

const jsonLines = /\b(?:nd-?json|jsonl|json-?lines|json-seq)\b|stream\+json/;

/**
 * Returns true if the body is a sequence of JSON values (JSON Lines). The recorded one may have just one
 * value.
 */
export function isJsonLines(entry: CaptureEntry): boolean {
  return jsonLines.test(contentType(entry));
}
