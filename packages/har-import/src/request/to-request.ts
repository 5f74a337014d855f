import type { CapturedRequest } from "../capture-model.ts";
import type { Visit } from "../visit.ts";
import { buildBody } from "./build-body.ts";
import { keepSafeHeaders } from "./safe-headers.ts";

const caseInsensitive = /^(get|head|post|put|patch|delete|options)$/i;

/** The request of an entry as it is to be sent again. */
export function toRequest({ entry, url }: Visit): CapturedRequest {
  const { request, response } = entry;
  const method = caseInsensitive.test(request.method) ? request.method.toUpperCase() : request.method;
  const headers = keepSafeHeaders(request.headers);
  const content =
    method === "GET" || method === "HEAD" ? null : buildBody(request.postData, contentTypeOf(headers));
  return {
    entryIndex: entry.index,
    method,
    url: withoutUserInfoAndFragment(url),
    headers: content === null ? headers : withContentType(headers, content.contentType),
    body: content === null ? null : content.body,
    recordedStatus: response?.status ?? null,
  };
}

function contentTypeOf(headers: CapturedRequest["headers"]): string | null {
  return headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? null;
}

function withContentType(
  headers: CapturedRequest["headers"],
  contentType: string,
): CapturedRequest["headers"] {
  const others = headers.filter(([name]) => name.toLowerCase() !== "content-type");
  return keepSafeHeaders([...others, ["content-type", contentType]]);
}

function withoutUserInfoAndFragment(url: URL): string {
  return `${url.origin}${url.pathname}${url.search}`;
}
