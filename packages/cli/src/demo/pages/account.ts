import { escapeHtml } from "@bearhug/text/printable";

import { compressed, html, json, privateHtml, refusal } from "../reply.ts";
import { get, post, type Route } from "../route.ts";
import type { Sessions } from "../sessions.ts";
import { hiddenFields } from "./form.ts";
import { layout } from "./layout.ts";
import { logInFirst } from "./login.ts";
import { readFields } from "../fields.ts";

/** Returns the route of a logged-in visitor's page. */
export function accountRoutes(sessions: Sessions): readonly Route[] {
  return [
    get("/account", "Greets the logged-in user; redirects others to /login (302)", ({ headers }) => {
      const session = sessions.readUser(headers);
      if (!session) return logInFirst("/account");
      const { name, email } = session.user;
      return privateHtml(
        layout(
          "Account",
          `    <h1>Hello, ${escapeHtml(name)}</h1>
    <p>We know you as ${escapeHtml(email)}.</p>
    <form method="post" action="/logout">
      ${hiddenFields({ csrf: sessions.csrfToken(session, "logout") })}<button>Log out</button>
    </form>`,
        ),
      );
    }),
  ];
}

const form = compressed(
  html(
    layout(
      "Sign up",
      `    <h1>Sign up</h1>
    <form method="post" action="/signup">
      <label>Name <input name="user" required></label> <button>Sign up</button>
    </form>`,
    ),
  ),
);

/** Accepts every sign-up and stores none: only their number is kept. */
export function signupRoutes(): readonly Route[] {
  let signups = 0;
  return [
    get("/signup", "The form", () => form),
    post("/signup", "JSON { user } or the form; 201 with a number, 422 without a user", (request) => {
      const user = readFields(request)?.["user"];
      if (user === undefined || user === "") return refusal(422, "user is missing");
      signups += 1;
      return json({ id: signups, user }, 201);
    }),
  ];
}
