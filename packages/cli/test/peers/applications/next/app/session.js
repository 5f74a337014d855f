import { cookies } from "next/headers";
import { redirect } from "next/navigation";

import { isLoggedIn } from "./database.js";

export async function requireSession() {
  const token = (await cookies()).get("session")?.value;
  if (!isLoggedIn(token)) redirect("/login");
}
