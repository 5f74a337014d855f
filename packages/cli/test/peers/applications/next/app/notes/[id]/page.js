import Link from "next/link";
import { notFound } from "next/navigation";

import { findNote } from "../../database.js";
import { requireSession } from "../../session.js";

export default async function ShownNote({ params }) {
  await requireSession();
  const note = findNote((await params).id) ?? notFound();
  return (
    <>
      <h1>{note.title}</h1>
      <Link href="/">All notes</Link>
    </>
  );
}
