import { refusal, type Reply } from "./reply.ts";
import type { DemoRequest } from "./route.ts";
import type { DemoSession, Sessions } from "./sessions.ts";

/** Longer than any id that a script makes up. */
const maxRequestIdLength = 64;

/** Guards the routes that only the site's own scripts may use, for a visitor with a session. */
export interface ScriptGuard {
  /** The token in a page for its script, which sends it back as `x-csrf-token`. */
  tokenFor(session: DemoSession): string;
  /** Returns the refusal of a request that is not the script's, or was sent before; undefined for any other. */
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

/** Returns a function that is true for an id not among the newest `limit` it was called with. */
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
