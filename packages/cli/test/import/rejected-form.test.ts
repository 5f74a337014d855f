import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readResult, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { entryOf, writeCapture } from "./shop-capture.ts";

const site = "https://notes.test";

/** A visitor writes a note, is redirected to it, and deletes it. */
const recorded = [
  entryOf(`${site}/notes/new/`, { responseBody: "<title>New</title>" }),
  entryOf(`${site}/notes/new/`, {
    method: "POST",
    atMs: 2000,
    form: { title: "Milk" },
    location: "/notes/40017/?saved=1",
  }),
  entryOf(`${site}/notes/40017/?saved=1`, { atMs: 2060, responseBody: "<title>Milk</title>" }),
  entryOf(`${site}/notes/40017/delete/`, { method: "POST", atMs: 4000, form: {}, location: "/notes/" }),
  entryOf(`${site}/notes/`, { atMs: 4060, responseBody: "<title>Notes</title>" }),
];

type Reaction = "accepts it" | "shows the form again" | "redirects to the form";

/** Returns the handler of a site that numbers its notes itself and stores no rejected note. */
function serveNotes(reaction: Reaction): (request: IncomingMessage, response: ServerResponse) => void {
  let notes = 0;
  return ({ method = "", url = "" }, response) => {
    const isNew = url === "/notes/new/";
    const redirect = (location: string): void => {
      response.writeHead(302, { location }).end();
    };
    if (method !== "POST") response.end("<title>Page</title>");
    else if (!isNew) redirect("/notes/");
    else if (reaction === "accepts it") redirect(`/notes/${(notes += 1)}/`);
    else if (reaction === "redirects to the form") redirect(url);
    else response.end("<title>New</title><p>The title is too long.</p>");
  };
}

test.each(["accepts it", "shows the form again", "redirects to the form"] as const)(
  "a note is deleted only if the server accepted it: the server %s",
  async (reaction) => {
    const isAccepted = reaction === "accepts it";
    const folder = temporaryFolder();
    const file = join(folder, "notes.ts");
    const imported = await runBearhug(["import", writeCapture(folder, recorded), "-o", file]);
    expect(imported.exitCode, imported.stderr).toBe(0);
    const source = readFileSync(file, "utf8");
    expect(source).toContain('...redirectsTo("/notes/:id/", "/notes/new/")');
    expect(source).toContain('...redirectsTo("/notes/")');

    const server = await startServer(serveNotes(reaction));
    const out = join(folder, "result.json");
    const load = ["--workers", "0", "--iterations", "2"];
    const ended = await runBearhug(["run", file, "--target", server.url, ...load, "--out", `json=${out}`]);
    const { checks } = readResult(out, ended);
    const failed = checks.filter(({ fails }) => fails > 0).map(({ name }) => name);
    expect(failed, ended.stdout).toEqual(isAccepted ? [] : ["redirects to /notes/:id/"]);
    expect(ended.exitCode, ended.stdout).toBe(isAccepted ? 0 : 99);
    expect(server.counts.get("POST /notes/1/delete/")).toBe(isAccepted ? 1 : undefined);
    expect(server.counts.get("POST /notes/2/delete/")).toBe(isAccepted ? 1 : undefined);
    expect(server.counts.get("POST /notes/40017/delete/")).toBeUndefined();
  },
);
