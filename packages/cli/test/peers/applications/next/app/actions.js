"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";

import { addNote, logIn, logOut } from "./database.js";
import { requireSession } from "./session.js";

export async function logInByForm(_, fields) {
  const token = logIn(fields.get("user"), fields.get("password"));
  if (token === undefined) return "The user or the password is wrong.";
  (await cookies()).set("session", token, { httpOnly: true, sameSite: "lax" });
  redirect("/");
}

export async function logOutByForm() {
  const kept = await cookies();
  logOut(kept.get("session")?.value ?? "");
  kept.delete("session");
  redirect("/login");
}

export async function addNoteByForm(_, fields) {
  await requireSession();
  const title = fields.get("title");
  if (title.length > 40) return "The title is longer than 40 characters.";
  redirect(`/notes/${addNote(title)}`);
}
