import { redirect } from "@sveltejs/kit";

import { isLoggedIn } from "#lib/server/database.js";

export function handle({ event, resolve }) {
  if (event.url.pathname !== "/login" && !isLoggedIn(event.cookies.get("session"))) redirect(303, "/login");
  return resolve(event);
}
