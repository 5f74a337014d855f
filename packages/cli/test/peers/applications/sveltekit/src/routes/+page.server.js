import { redirect } from "@sveltejs/kit";

import { latestNotes, logOut } from "#lib/server/database.js";

export const load = () => ({ notes: latestNotes() });

export const actions = {
  logout: ({ cookies }) => {
    logOut(cookies.get("session"));
    cookies.delete("session", { path: "/" });
    redirect(303, "/login");
  },
};
