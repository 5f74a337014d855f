import { fail, redirect } from "@sveltejs/kit";

import { addNote } from "#lib/server/database.js";

export const actions = {
  default: async ({ request }) => {
    const title = (await request.formData()).get("title");
    if (title.length > 40) return fail(400, { error: "The title is longer than 40 characters." });
    redirect(303, `/notes/${addNote(title)}`);
  },
};
