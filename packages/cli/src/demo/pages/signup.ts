import { readFields } from "../fields.ts";
import { compressed, html, json, refusal } from "../reply.ts";
import type { Route } from "../route.ts";
import { layout } from "./layout.ts";

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

/** Accepts anybody and remembers nobody: only the number of sign-ups is kept. */
export function signupRoutes(): readonly Route[] {
  let signups = 0;
  return [
    { method: "GET", path: "/signup", about: "The form", answer: () => form },
    {
      method: "POST",
      path: "/signup",
      about: "JSON { user } or the form; 201 with a number, 422 without a user",
      answer: (request) => {
        const user = readFields(request)?.["user"];
        if (user === undefined || user === "") return refusal(422, "user is missing");
        signups += 1;
        return json({ id: signups, user }, 201);
      },
    },
  ];
}
