import type { CapturedRequest } from "../capture-model.ts";
import type { Header } from "../capture.ts";
import { looksSecret } from "../secrets/secret-looks.ts";
import type { Visit } from "../visit.ts";
import { buildBody } from "./build-body.ts";
import { hintMissingBody, missingBytes } from "./missing-bodies.ts";
import { KnownAtoms } from "./known-atoms.ts";
import { parsePairs } from "./parse-pairs.ts";
import { dropManagedHeaders } from "./safe-headers.ts";
import { hintWithheldBody, isWithheld } from "./withheld-body.ts";

/** One for all: most requests have many lists without anything in them. */
const nothing: readonly never[] = [];
const caseInsensitive = /^(get|head|post|put|patch|delete|options)$/i;

/** The request of a visit as it is to be sent again, every value as recorded. Its place in a step is for others to say. */
export function toRequest(visit: Visit, known: KnownAtoms = new KnownAtoms()): CapturedRequest {
  const { entry, url, hops } = visit;
  const { request } = entry;
  const method = caseInsensitive.test(request.method) ? request.method.toUpperCase() : request.method;
  const headers = dropManagedHeaders(request.headers);
  const withheld = isWithheld(request.postData);
  const content =
    withheld || method === "GET" || method === "HEAD"
      ? null
      : buildBody(request.postData, contentTypeOf(headers));
  const missing = missingBytes(visit);
  const answered = hops.at(-1)?.entry ?? entry;
  return {
    entryIndex: entry.index,
    redirectedTo: hops.length === 0 ? nothing : hops.map((hop) => hop.entry.index),
    method,
    origin: known.origin(url.origin),
    path: known.path(url.pathname),
    query: url.search === "" ? nothing : parsePairs(url.search.slice(1)),
    headers: (content === null ? withoutParts(headers) : withContentType(headers, content.contentType)).map(
      (header) => known.header(header),
    ),
    body: content === null ? null : content.body,
    recordedStatus: answered.response?.status ?? null,
    landsOn: hops.length === 0 ? null : landingPath(url, hops.at(-1)?.url ?? url),
    extractions: nothing,
    hints: withheld ? [hintWithheldBody()] : missing === 0 ? nothing : [hintMissingBody(missing)],
    outlasts: false,
    recorded: null,
  };
}

/** A segment that is a word, and no id that belongs to this recording. */
const word = /^[A-Za-z][A-Za-z_.-]{0,40}$/;

/** Where redirects end says whether a visitor is still logged in; ids differ from run to run. */
function landingPath(from: URL, to: URL): string | null {
  const segments = to.pathname.slice(1).split("/");
  const isLasting = segments.every(
    (segment) => segment === "" || (word.test(segment) && !looksSecret(segment)),
  );
  return isLasting && to.pathname !== from.pathname ? to.pathname : null;
}

function contentTypeOf(headers: readonly Header[]): string | null {
  return headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? null;
}

/** Without a body, the boundary between its parts is one of nothing. */
function withoutParts(headers: readonly Header[]): readonly Header[] {
  return headers.filter(
    ([name, value]) => name.toLowerCase() !== "content-type" || !/^\s*multipart\//i.test(value),
  );
}

function withContentType(headers: readonly Header[], contentType: string): readonly Header[] {
  const others = headers.filter(([name]) => name.toLowerCase() !== "content-type");
  return dropManagedHeaders([...others, ["content-type", contentType]]);
}
