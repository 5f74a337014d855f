import { expect, test } from "vitest";

import { failedChecksOf, type Handler } from "./run-imported.ts";
import { entryOf, password } from "./shop-capture.ts";

const site = "https://club.test";
const form =
  '<form method="post" action="/login"><input name="user"><input type="password" name="password"></form>';

/** A visitor logs in at the home page, which then greets them, and looks at their account. */
const recorded = [
  entryOf(`${site}/`, { responseBody: form }),
  entryOf(`${site}/login`, {
    method: "POST",
    atMs: 2000,
    headers: { Referer: `${site}/` },
    form: { user: "jane", password },
    location: "/",
  }),
  entryOf(`${site}/`, { atMs: 2060, responseBody: "<title>Hello, Jane</title>" }),
  entryOf(`${site}/account`, { atMs: 6000, responseBody: "<title>Account</title>" }),
];

/** Returns the handler of a site that shows its login form, with status 200, in place of any page. */
function serveClub(acceptsLogin: boolean): Handler {
  return ({ method, headers }, response) => {
    if (method === "POST" && acceptsLogin) response.setHeader("set-cookie", "member=1");
    if (method === "POST") response.writeHead(302, { location: "/" }).end();
    else {
      response.setHeader("content-type", "text/html");
      response.end(headers.cookie === "member=1" ? "<title>Club</title>" : form);
    }
  };
}

test.each([
  [true, []],
  [false, ["has no field password", "has no field password"]],
])(
  "a site that shows the login form again, at the path of any page: accepted %s",
  async (acceptsLogin, wrong) => {
    const given = ["--env", "SITE_USER=jane", "--env", "PASSWORD=x", "--workers", "0"];
    expect(await failedChecksOf(recorded, serveClub(acceptsLogin), given)).toEqual(wrong);
  },
);
