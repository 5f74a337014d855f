import { isSecretHeader, isSecretName } from "@bearhug/sdk/internal";
import type { Visit } from "../visit.ts";

const note =
  "The capture logs in, but none of its requests has a cookie or an Authorization header. Browsers leave these out unless you export with sensitive data. The test keeps the cookies that the site sets; add other credentials by hand.";

const loginPath = /\/(log-?in|sign-?in|auth|sessions?|token)(\/|$)/i;

/** Chrome's default export has neither cookies nor credentials: a sentence about it where somebody logs in; else none. */
export function noteMissingSession(visits: readonly Visit[]): string[] {
  const all = visits.flatMap((visit) => [visit, ...visit.hops]);
  return all.some(logsIn) && !all.some(carriesCredentials) ? [note] : [];
}

function logsIn({ entry, url }: Visit): boolean {
  const { method, postData } = entry.request;
  if (method.toUpperCase() !== "POST") return false;
  return loginPath.test(url.pathname) || (postData?.params ?? []).some(({ name }) => isSecretName(name));
}

function carriesCredentials({ entry }: Visit): boolean {
  const { headers, cookies } = entry.request;
  const given = entry.response?.headers ?? [];
  return cookies.length > 0 || [...headers, ...given].some(([name]) => isSecretHeader(name));
}
