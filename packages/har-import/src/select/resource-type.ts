import { contentType } from "../response-type.ts";
import { type CaptureEntry, headerOf } from "../capture.ts";

/**
 * Resource types, named as in browsers' developer tools. Requests of scripts are "xhr", also those by
 * `fetch`.
 */
export type ResourceType = (typeof resourceTypes)[number];

export const resourceTypes = [
  "document",
  "stylesheet",
  "image",
  "font",
  "script",
  "media",
  "xhr",
  "websocket",
  "other",
] as const;

/** By Chrome's `_resourceType`. For what it calls "other" (mostly icons), the response may decide. */
const ofChrome = new Map<string, ResourceType>([
  ["document", "document"],
  ["stylesheet", "stylesheet"],
  ["image", "image"],
  ["font", "font"],
  ["script", "script"],
  ["media", "media"],
  ["texttrack", "media"],
  ["xhr", "xhr"],
  ["fetch", "xhr"],
  ["websocket", "websocket"],
  ["manifest", "other"],
  ["ping", "other"],
]);

/** Resource types by the header sec-fetch-dest. Frames are documents too. */
const ofDestination = new Map<string, ResourceType>([
  ["document", "document"],
  ["iframe", "document"],
  ["frame", "document"],
  ["embed", "document"],
  ["object", "document"],
  ["style", "stylesheet"],
  ["image", "image"],
  ["font", "font"],
  ["script", "script"],
  ["worker", "script"],
  ["sharedworker", "script"],
  ["serviceworker", "script"],
  ["audioworklet", "script"],
  ["audio", "media"],
  ["video", "media"],
  ["track", "media"],
  ["empty", "xhr"],
  ["websocket", "websocket"],
  ["manifest", "other"],
  ["report", "other"],
]);

const ofContent: readonly (readonly [RegExp, ResourceType])[] = [
  [/^(text\/html|application\/xhtml\+xml)$/, "document"],
  [/^text\/css$/, "stylesheet"],
  [/^image\//, "image"],
  [/^(font\/|application\/(x-)?font-|application\/vnd\.ms-fontobject)/, "font"],
  [/^(text|application)\/(x-)?(javascript|ecmascript)$/, "script"],
  [/^(audio|video)\//, "media"],
  [/^application\/([\w.-]+\+)?(json|xml|grpc-web|x-protobuf)/, "xhr"],
];

const ofEnding: readonly (readonly [RegExp, ResourceType])[] = [
  [/\.css$/i, "stylesheet"],
  [/\.(avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i, "image"],
  [/\.(eot|otf|ttf|woff2?)$/i, "font"],
  [/\.m?js$/i, "script"],
  [/\.(aac|m4a|m4v|mov|mp3|mp4|mpd|m3u8|ogg|ogv|wav|weba|webm)$/i, "media"],
];

/** Returns the resource type: as recorded or, without a record, by the response's type and the file's extension. */
export function resourceTypeOf(entry: CaptureEntry, url: URL): ResourceType {
  return (
    ofChrome.get(entry.resourceType.toLowerCase()) ??
    ofDestination.get(requestHeader(entry, "sec-fetch-dest") ?? "") ??
    (isScriptRequest(entry) ? "xhr" : null) ??
    firstMatch(ofContent, contentType(entry)) ??
    firstMatch(ofEnding, url.pathname) ??
    "other"
  );
}

/** Returns true for the document of a page, not of a frame in it. */
export function isTopDocument(entry: CaptureEntry, url: URL): boolean {
  const destination = requestHeader(entry, "sec-fetch-dest") ?? "document";
  return destination === "document" && resourceTypeOf(entry, url) === "document";
}

/** Returns the value of a request's header, by its name in lower case. */
export function requestHeader(entry: CaptureEntry, name: string): string | null {
  return headerOf(entry.request.headers, name);
}

/**
 * Returns true if a request has headers that a request for a document never has, whatever the response is.
 */
function isScriptRequest(entry: CaptureEntry): boolean {
  if (requestHeader(entry, "x-requested-with") !== null) return true;
  return /^\s*application\/([\w.-]+\+)?json\b/i.test(requestHeader(entry, "accept") ?? "");
}

function firstMatch(
  table: readonly (readonly [RegExp, ResourceType])[],
  text: string,
): ResourceType | undefined {
  return table.find(([shape]) => shape.test(text))?.[1];
}
