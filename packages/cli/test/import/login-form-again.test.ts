import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readResult, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { entryOf, password, writeCapture } from "./shop-capture.ts";

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
function serveClub(acceptsLogin: boolean): (request: IncomingMessage, response: ServerResponse) => void {
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
    const folder = temporaryFolder();
    const file = join(folder, "club.ts");
    const imported = await runBearhug(["import", writeCapture(folder, recorded), "-o", file]);
    expect(imported.exitCode, imported.stderr).toBe(0);
    const server = await startServer(serveClub(acceptsLogin));
    const out = join(folder, "result.json");
    const given = ["--env", "SITE_USER=jane", "--env", "PASSWORD=x", "--workers", "0"];
    const ended = await runBearhug(["run", file, "--target", server.url, ...given, "--out", `json=${out}`]);
    const failed = readResult(out, ended).checks.filter(({ fails }) => fails > 0);
    expect(
      failed.map(({ name }) => name),
      ended.stdout,
    ).toEqual(wrong);
    expect(ended.exitCode, ended.stdout).toBe(acceptsLogin ? 0 : 99);
  },
);
