import { createRecentIds } from "./recent-ids.ts";
import { refusal, type Reply } from "./reply.ts";
import type { DemoRequest } from "./route.ts";
import type { Session, Sessions } from "./sessions.ts";

/** Longer than any id that a script makes up. */
const maxRequestIdLength = 64;

/** Guards what the site's own scripts send for a visitor with a session. */
export interface ScriptGuard {
  /** What the page hands to its script, which sends it back as `x-csrf-token`. */
  tokenFor(session: Session): string;
  /** The refusal where the request is not the script's, or is one that was sent before; else undefined. */
  refuse(session: Session, headers: DemoRequest["headers"]): Reply | undefined;
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
