import { error } from "@sveltejs/kit";

import { findNote } from "#lib/server/database.js";

export function load({ params }) {
  const { title } = findNote(params.id) ?? error(404, "There is no such note.");
  return { title };
}
