import { refusal, type Reply } from "./reply.ts";
import type { DemoRequest } from "./route.ts";
import type { DemoSession, Sessions } from "./sessions.ts";

/** Longer than any id that the site's scripts generate. */
const maxRequestIdLength = 64;

/** Protects routes that only the site's own scripts may use, in a visitor's session. */
export interface ScriptGuard {
  /** Returns the token for a page's script, which sends it back as `x-csrf-token`. */
  tokenFor(session: DemoSession): string;
  /**
   * Returns an error reply if a request does not come from the script, or repeats an earlier one; otherwise
   * undefined.
   */
  refuse(session: DemoSession, headers: DemoRequest["headers"]): Reply | undefined;
}

export function createScriptGuard(sessions: Sessions): ScriptGuard {
  const isNew = createRecentIds();
  return {
    tokenFor: (session) => sessions.csrfToken(session, "script"),
    refuse(session, headers) {
      if (!sessions.isCsrfToken(session, "script", headers["x-csrf-token"])) {
        return refusal(403, "x-csrf-token is not this session's: see GET /api/session");
      }
      const id = headers["x-request-id"];
      if (typeof id !== "string" || id === "" || id.length > maxRequestIdLength) {
        return refusal(400, "x-request-id is missing");
      }
      return isNew(id) ? undefined : refusal(409, "this x-request-id was sent before");
    },
  };
}

/** Returns a function that is true for an id that is not among the latest `limit` ids it received. */
export function createRecentIds(limit = 10_000): (id: string) => boolean {
  const seen = new Set<string>();
  return (id) => {
    if (seen.has(id)) return false;
    seen.add(id);
    const [oldest] = seen;
    if (seen.size > limit && oldest !== undefined) seen.delete(oldest);
    return true;
  };
}
