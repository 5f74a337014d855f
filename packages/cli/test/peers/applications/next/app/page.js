import Link from "next/link";

import { logOutByForm } from "./actions.js";
import { latestNotes } from "./database.js";
import { requireSession } from "./session.js";

export default async function Notes() {
  await requireSession();
  return (
    <>
      <Link href="/notes/new">New note</Link>
      <ul>
        {latestNotes().map(({ id, title }) => (
          <li key={id}>
            <Link href={`/notes/${id}`}>{title}</Link>
          </li>
        ))}
      </ul>
      <form action={logOutByForm}>
        <button>Log out</button>
      </form>
    </>
  );
}
