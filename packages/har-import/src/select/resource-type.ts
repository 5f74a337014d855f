import type { CaptureEntry } from "../capture.ts";

/** What a browser asked for, in the words of its developer tools. Calls of scripts are "xhr", also those by `fetch`. */
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

/** Chrome's `_resourceType`. What it calls "other" (icons, mostly) may be told by the answer. */
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

/** What the header sec-fetch-dest says. Frames are documents too. */
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

/** What an entry asked for: as the browser says, else as the answer and the file's ending do. */
export function resourceTypeOf(entry: CaptureEntry, url: URL): ResourceType {
  return (
    ofChrome.get(entry.resourceType.toLowerCase()) ??
    ofDestination.get(requestHeader(entry, "sec-fetch-dest") ?? "") ??
    (isScriptsCall(entry) ? "xhr" : null) ??
    firstMatch(ofContent, contentType(entry)) ??
    firstMatch(ofEnding, url.pathname) ??
    "other"
  );
}

/** Whether an entry is a document that a person went to, not one in a frame of it. */
export function isTopDocument(entry: CaptureEntry, url: URL): boolean {
  const destination = requestHeader(entry, "sec-fetch-dest") ?? "document";
  return destination === "document" && resourceTypeOf(entry, url) === "document";
}

/** What a request's header says, by its name in lower case. */
export function requestHeader(entry: CaptureEntry, name: string): string | undefined {
  return entry.request.headers.find(([written]) => written.toLowerCase() === name)?.[1];
}

/** What an answer says it is, without parameters and in lower case. "" where neither the browser nor the server does. */
export function contentType({ response }: CaptureEntry): string {
  if (response === null) return "";
  const ofHeader = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const isTold = response.mimeType !== "" && response.mimeType !== "x-unknown";
  return (isTold ? response.mimeType : ofHeader).split(";", 1).join("").trim().toLowerCase();
}

/** A document is never asked for with these, whatever comes back. */
function isScriptsCall(entry: CaptureEntry): boolean {
  if (requestHeader(entry, "x-requested-with") !== undefined) return true;
  return /^\s*application\/([\w.-]+\+)?json\b/i.test(requestHeader(entry, "accept") ?? "");
}

function firstMatch(
  table: readonly (readonly [RegExp, ResourceType])[],
  text: string,
): ResourceType | undefined {
  return table.find(([shape]) => shape.test(text))?.[1];
}
