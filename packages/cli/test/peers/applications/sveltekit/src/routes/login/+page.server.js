import { fail, redirect } from "@sveltejs/kit";

import { logIn } from "#lib/server/database.js";

export const actions = {
  default: async ({ cookies, request, url }) => {
    const fields = await request.formData();
    const token = logIn(fields.get("user"), fields.get("password"));
    if (token === undefined) return fail(400, { error: "The user or the password is wrong." });
    cookies.set("session", token, { path: "/", secure: url.protocol === "https:" });
    redirect(303, "/");
  },
};
