import { isHtmlType, isJsonType } from "@bearhug/sdk/internal";
import type { Proof } from "../capture-model.ts";
import { type EntryResponse, headerOf } from "../capture.ts";
import { isStaticFileName } from "../static-file.ts";
import type { Visit } from "../visit.ts";

/**
 * Returns the type that a response has to have again: with status 200, many sites respond with a page for a
 * file that is gone, for data, or for a login.
 */
export function typeProof({ entry, url }: Visit): Proof[] {
  const { request, response } = entry;
  const status = response?.status ?? 0;
  if (response === null || status < 200 || status > 299 || status === noContent) return [];
  // Recorders may guess `mimeType`, so only the header counts.
  const type = headerOf(response.headers, "content-type");
  if (type === null) return [];
  if (isHtmlType(type)) {
    // A file that was missing in the recording may exist at another target.
    const isDocument = headerOf(request.headers, "accept")?.includes("text/html") === true;
    const isPage = isDocument && !isStaticFileName(url.pathname) && !isEmpty(response);
    return isPage ? [{ kind: "type", type: "HTML" }] : [];
  }
  // Servers disagree about the types of files.
  const isFile = isStaticFileName(url.pathname) || url.pathname.endsWith(".json");
  const isJson = isJsonType(type) && !isFile && !isEmpty(response);
  return [{ kind: "type", type: isJson ? "JSON" : "other" }];
}

/** Returns true for a body that was empty in the recording. Some recorders write this size for every body. */
function isEmpty({ bodyBytes, headers }: EntryResponse): boolean {
  return bodyBytes === 0 && !(Number(headerOf(headers, "content-length")) > 0);
}

const noContent = 204;
