import { json } from "./reply.ts";
import type { Route } from "./route.ts";
import type { ScriptGuard } from "./script-guard.ts";
import type { Sessions } from "./sessions.ts";

/** What a page's script asks before it sends anything for its visitor. */
export function sessionApiRoutes(sessions: Sessions, guard: ScriptGuard): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/api/session",
      about: "The logged-in user, and the csrf token that scripts send as x-csrf-token; otherwise nulls",
      answer: ({ headers }) => {
        const session = sessions.readUser(headers);
        return session ? json({ user: session.user.name, csrf: guard.tokenFor(session) }) : nobody;
      },
    },
  ];
}

const nobody = json({ user: null, csrf: null });
