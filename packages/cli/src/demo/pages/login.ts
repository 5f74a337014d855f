import { checkPassword, demoPassword } from "../accounts.ts";
import { readFields } from "../fields.ts";
import { privateHtml, redirect, type Reply, seeOther } from "../reply.ts";
import { type DemoRequest, get, post, type Route } from "../route.ts";
import { noSession, type DemoSession, type Sessions } from "../sessions.ts";
import { hiddenFields, foreignForm } from "./form.ts";
import { layout } from "./layout.ts";

/** Returns the routes of login and logout for browsers: forms, and a cookie that identifies the visitor. */
export function loginRoutes(sessions: Sessions): readonly Route[] {
  return [
    get(
      "/login",
      "The form, with the session’s hidden csrf token; ?next= is the page to show after login",
      ({ headers, query }) => {
        const session = sessions.read(headers) ?? sessions.begin();
        return renderForm(sessions, session, ownPath(query.get("next")));
      },
    ),
    post(
      "/login",
      `Takes user, password (“${demoPassword}”) and csrf; sets a session cookie (303), or 401 or 403`,
      (request) => logIn(sessions, request),
    ),
    post("/logout", "The form on /account; ends the session and redirects to / (303)", (request) => {
      const session = sessions.read(request.headers);
      if (!session || !sessions.isCsrfToken(session, "logout", readFields(request)?.["csrf"]))
        return foreignForm;
      return seeOther("/", { "set-cookie": noSession });
    }),
  ];
}

/** Redirects to the login form, which returns to `path` afterwards. */
export function logInFirst(path: string): Reply {
  return redirect(`/login?next=${encodeURIComponent(path)}`);
}

function logIn(sessions: Sessions, request: DemoRequest): Reply {
  const fields = readFields(request) ?? {};
  const session = sessions.read(request.headers);
  if (!session || !sessions.isCsrfToken(session, "login", fields["csrf"])) return foreignForm;
  const next = ownPath(fields["next"]);
  const user = checkPassword(fields["user"], fields["password"]);
  if (!user) return renderForm(sessions, session, next, "Wrong user or password.");
  return seeOther(next, { "set-cookie": sessions.cookieFor(sessions.begin(user)) });
}

function renderForm(sessions: Sessions, session: DemoSession, next: string, complaint = ""): Reply {
  const hidden = hiddenFields({ csrf: sessions.csrfToken(session, "login"), next });
  const main = `    <h1>Log in</h1>
    <form method="post" action="/login">
      ${hidden}
      <label>User <input name="user" required></label>
      <label>Password <input name="password" type="password" required></label> <button>Log in</button>
    </form>
    <p>${complaint}</p>`;
  const headers = { "set-cookie": sessions.cookieFor(session) };
  return privateHtml(layout("Log in", main), complaint === "" ? 200 : 401, headers);
}

/** Returns a path of this site, so that a link to the login form cannot redirect to another site. */
function ownPath(next: unknown): string {
  return typeof next === "string" && /^\/(?:[\w-][\w/.-]*)?$/.test(next) ? next : "/account";
}
