import type { Capture, CaptureEntry } from "@bearhug/har-import";
import { hasAnswer, prepareAnswer } from "./answer.ts";
import { RequestLine } from "./request-line.ts";

export interface RecordedAnswers {
  /** The request line that is asked for; one without answers when the capture does not have it. */
  find(method: string, target: string): RequestLine;
}

/** All answers of a capture by method, path and query. Hosts make no difference: every one of them is played here. */
export function recordAnswers({ entries }: Capture): RecordedAnswers {
  const origins = new Set(entries.map(({ request }) => URL.parse(request.url)?.origin));
  origins.delete("null");
  const lines = new Map<string, RequestLine>();
  for (const [key, group] of Map.groupBy(entries, keyOf)) {
    if (key === null) continue;
    const answered = group.filter(({ response }) => hasAnswer(response?.status));
    const played = answered.length > 0 ? answered : group;
    lines.set(
      key,
      new RequestLine(
        key,
        played.map((entry) => prepareAnswer(entry, (origin) => origins.has(origin))),
      ),
    );
  }
  return {
    find: (method, target) =>
      lines.get(`${method} ${target}`) ??
      lines.get(normalize(method, target)) ??
      new RequestLine(normalize(method, target), []),
  };
}

/** null for what is never asked of a web server. */
function keyOf({ request }: CaptureEntry): string | null {
  const url = URL.parse(request.url);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return null;
  return `${request.method.toUpperCase()} ${url.pathname}${url.search}`;
}

/** Clients need not write a path as browsers do, and to a proxy they write the whole URL. */
function normalize(method: string, target: string): string {
  const url = URL.parse(target.startsWith("/") ? `http://mock${target}` : target);
  return `${method} ${url === null ? target : url.pathname + url.search}`;
}
