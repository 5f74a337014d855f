import { expect, test } from "vitest";

import { failedChecksOf, type Handler } from "./run-imported.ts";
import { entryOf, password } from "./shop-capture.ts";

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
function serveClub(mood: Mood): Handler {
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
  const given = ["--env", "SITE_USER=jane", "--env", "PASSWORD=x", "--workers", "0"];
  expect(await failedChecksOf(recorded, serveClub(mood), given)).toEqual(wrong);
});
