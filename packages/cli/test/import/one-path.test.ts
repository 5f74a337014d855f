import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readResult, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { entryOf, password, writeCapture } from "./shop-capture.ts";

const site = "https://club.test";
const at = (route: string): string => `/index.php?route=${route}`;
const form =
  '<form method="post"><input name="user"><input type="password" name="password"></form><title>Log in</title>';

/** A visitor logs in, adds a note, which is shown, and deletes it. All pages are at one path. */
const recorded = [
  entryOf(site + at("login"), { responseBody: form }),
  entryOf(site + at("login"), {
    method: "POST",
    atMs: 600,
    form: { user: "jane", password },
    location: at("home"),
  }),
  entryOf(site + at("home"), { atMs: 660, responseBody: "<title>Home</title>" }),
  entryOf(site + at("note/add"), {
    method: "POST",
    atMs: 1300,
    form: { text: "Milk" },
    location: `${at("note/view")}&id=41`,
  }),
  entryOf(`${site}${at("note/view")}&id=41`, { atMs: 1360, responseBody: "<title>Note</title>" }),
  entryOf(`${site}${at("note/delete")}&id=41`, { atMs: 2000, location: `${at("home")}&msg=deleted` }),
  entryOf(`${site}${at("home")}&msg=deleted`, { atMs: 2060, responseBody: "<title>Home</title>" }),
];

type Mood = "accepts all" | "loses the session" | "rejects the note" | "keeps the note";

/** Returns the handler of a site whose redirects all lead to its only path, accepted or not. */
function serveClub(mood: Mood): (request: IncomingMessage, response: ServerResponse) => void {
  let notes = 0;
  return ({ method, url = "", headers }, response) => {
    const { searchParams } = new URL(url, site);
    const route = searchParams.get("route") ?? "";
    const redirect = (to: string): void => {
      response.writeHead(302, { location: at(to) }).end();
    };
    const isMember = headers.cookie === "member=1" && (mood !== "loses the session" || route === "home");
    if (route === "login" && method === "POST") {
      response.setHeader("set-cookie", "member=1");
      redirect("home");
    } else if (route === "login") response.setHeader("content-type", "text/html").end(form);
    else if (!isMember) redirect("login");
    else if (route === "note/add")
      redirect(mood === "rejects the note" ? "note/edit&error=text" : `note/view&id=${(notes += 1)}`);
    else if (route === "note/delete") {
      const isGone = mood !== "keeps the note" && searchParams.get("id") === String(notes);
      redirect(`home&msg=${isGone ? "deleted" : "denied"}`);
    } else response.setHeader("content-type", "text/html").end("<title>Club</title>");
  };
}

test.each([
  ["accepts all", []],
  ["loses the session", ["redirects to /index.php?route=note/view"]],
  ["rejects the note", ["redirects to /index.php?route=note/view"]],
  ["keeps the note", ["ends at /index.php?route=home&msg=deleted"]],
] as const)("a site whose pages are all at one path: it %s", async (mood, wrong) => {
  const folder = temporaryFolder();
  const file = join(folder, "club.ts");
  const imported = await runBearhug(["import", writeCapture(folder, recorded), "-o", file]);
  expect(imported.exitCode, imported.stderr).toBe(0);
  const server = await startServer(serveClub(mood));
  const out = join(folder, "result.json");
  const given = ["--env", "SITE_USER=jane", "--env", "PASSWORD=x", "--workers", "0"];
  const ended = await runBearhug(["run", file, "--target", server.url, ...given, "--out", `json=${out}`]);
  const failed = readResult(out, ended).checks.filter(({ fails }) => fails > 0);
  expect(
    failed.map(({ name }) => name),
    ended.stdout,
  ).toEqual(wrong);
  expect(ended.exitCode, ended.stdout).toBe(wrong.length === 0 ? 0 : 99);
});
