import type { CaptureEntry } from "../capture.ts";
import type { Visit } from "../visit.ts";

/** The statuses that browsers follow; 300 and 304 are answers. */
const followed = new Set([301, 302, 303, 307, 308]);

export function isRedirect({ response }: CaptureEntry): boolean {
  return followed.has(response?.status ?? 0);
}

/** Where a redirect leads, without the fragment, which no server sees; null where it is none or says nothing. */
export function redirectTarget({ entry, url }: Visit): string | null {
  if (!isRedirect(entry)) return null;
  const header = entry.response?.headers.find(([name]) => name.toLowerCase() === "location")?.[1] ?? "";
  const written = [entry.response?.redirectUrl ?? "", header].find((text) => text.trim() !== "");
  const target = written === undefined ? null : URL.parse(written.trim(), url.href);
  return target === null ? null : withoutFragment(target);
}

export function withoutFragment(url: URL): string {
  const { href } = url;
  const at = href.indexOf("#");
  return at < 0 ? href : href.slice(0, at);
}

/** The method of the request that follows: a form that was sent is not sent again, but for 307 and 308. */
export function redirectedMethod({ request, response }: CaptureEntry): string {
  const method = request.method.toUpperCase();
  const status = response?.status ?? 0;
  const isDropped = status === 303 ? method !== "HEAD" : status <= 302 && method === "POST";
  return isDropped ? "GET" : method;
}

/** The request whose answer was the last: of a chain of redirects, its end. */
export function lastOf(visit: Visit): Visit {
  return visit.hops.at(-1) ?? visit;
}
