import { randomUUID, scryptSync } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

// The build imports this file, too.
const database = new DatabaseSync(process.env.DATABASE ?? ":memory:", { timeout: 20_000 });
database.exec(`
  PRAGMA journal_mode = WAL;
  CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS sessions (token TEXT PRIMARY KEY);
`);

const hash = (password) => scryptSync(password, "notes", 32, { cost: 1024 });
const hashes = { ann: hash("sesame-1961") };

export function logIn(user, password) {
  if (hashes[user]?.equals(hash(password)) !== true) return undefined;
  const token = randomUUID();
  database.prepare("INSERT INTO sessions VALUES (?)").run(token);
  return token;
}

export function isLoggedIn(token = "") {
  return database.prepare("SELECT 1 FROM sessions WHERE token = ?").get(token) !== undefined;
}

export function logOut(token) {
  database.prepare("DELETE FROM sessions WHERE token = ?").run(token);
}

export function addNote(title) {
  return database.prepare("INSERT INTO notes (title) VALUES (?)").run(title).lastInsertRowid;
}

export function latestNotes() {
  return database.prepare("SELECT id, title FROM notes ORDER BY id DESC LIMIT 10").all();
}

export function findNote(id) {
  return database.prepare("SELECT id, title FROM notes WHERE id = ?").get(id);
}
