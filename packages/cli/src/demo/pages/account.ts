import { escapeHtml } from "@bearhug/sdk/internal";
import { privateHtml } from "../reply.ts";
import type { Route } from "../route.ts";
import type { Sessions } from "../sessions.ts";
import { hiddenFields } from "./form.ts";
import { layout } from "./layout.ts";
import { logInFirst } from "./login.ts";

/** The page of a visitor who has logged in. */
export function accountRoutes(sessions: Sessions): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/account",
      about: "Greets the logged-in user; redirects others to /login (302)",
      answer: ({ headers }) => {
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
      },
    },
  ];
}
