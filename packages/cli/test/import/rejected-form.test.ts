import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readResult, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { entryOf, writeCapture } from "./shop-capture.ts";

const site = "https://notes.test";

/** Somebody writes a note, is led to it, and deletes it. */
const recorded = [
  entryOf(`${site}/notes/new/`, { answer: "<title>New</title>" }),
  entryOf(`${site}/notes/new/`, {
    method: "POST",
    atMs: 2000,
    form: { title: "Milk" },
    location: "/notes/40017/?saved=1",
  }),
  entryOf(`${site}/notes/40017/?saved=1`, { atMs: 2060, answer: "<title>Milk</title>" }),
  entryOf(`${site}/notes/40017/delete/`, { method: "POST", atMs: 4000, form: {}, location: "/notes/" }),
  entryOf(`${site}/notes/`, { atMs: 4060, answer: "<title>Notes</title>" }),
];

type Rejection = "shows the form again" | "redirects to the form" | null;

/** Notes get numbers of their own. A note that is rejected is not made. */
function answerNotes(rejection: Rejection): (request: IncomingMessage, response: ServerResponse) => void {
  let notes = 0;
  return ({ method = "", url = "" }, response) => {
    const isNew = url === "/notes/new/";
    const redirect = (location: string): void => {
      response.writeHead(302, { location }).end();
    };
    if (method !== "POST") response.end("<title>Page</title>");
    else if (!isNew) redirect("/notes/");
    else if (rejection === null) redirect(`/notes/${(notes += 1)}/`);
    else if (rejection === "redirects to the form") redirect(url);
    else response.end("<title>New</title><p>The title is too long.</p>");
  };
}

test.each([null, "shows the form again", "redirects to the form"] as const)(
  "a note is written and deleted, where the server %s",
  async (rejection) => {
    const folder = temporaryFolder();
    const file = join(folder, "notes.ts");
    const imported = await runBearhug(["import", writeCapture(folder, recorded), "-o", file]);
    expect(imported.exitCode, imported.stderr).toBe(0);
    const source = readFileSync(file, "utf8");
    expect(source).toContain('...redirectsTo("/notes/:id/", "/notes/new/")');
    expect(source).toContain('...redirectsTo("/notes/")');

    const server = await startServer(answerNotes(rejection));
    const out = join(folder, "result.json");
    const ended = await runBearhug([
      ...["run", file, "--target", server.url, "--workers", "0", "--iterations", "2", "--out", `json=${out}`],
    ]);
    const { checks } = readResult(out, ended);
    const failed = checks.filter(({ fails }) => fails > 0).map(({ name }) => name);
    expect(failed, ended.stdout).toEqual(rejection === null ? [] : ["redirects to /notes/:id/"]);
    expect(ended.exitCode, ended.stdout).toBe(rejection === null ? 0 : 99);
    expect(server.counts.get("POST /notes/1/delete/")).toBe(rejection === null ? 1 : undefined);
    expect(server.counts.get("POST /notes/2/delete/")).toBe(rejection === null ? 1 : undefined);
    expect(server.counts.get("POST /notes/40017/delete/")).toBeUndefined();
  },
);
