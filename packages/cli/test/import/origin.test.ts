import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readResult, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { entryOf, writeCapture } from "./shop-capture.ts";

const site = "https://notes.test";
const api = "https://api.notes.test";
const signature = "s1a9f3c7e2b84d6015";

const sentBy = (page: string): Record<string, string> => ({ Origin: site, Referer: site + page });

/**
 * A visitor writes a note, is redirected to it and deletes it; then a script posts to another host of the
 * site.
 */
const recorded = [
  entryOf(`${site}/notes/new/?from=menu`, { responseBody: "<title>New</title>" }),
  entryOf(`${site}/notes/new/`, {
    method: "POST",
    atMs: 2000,
    headers: sentBy("/notes/new/?from=menu"),
    form: { title: "Milk" },
    location: `/notes/40017/?signature=${signature}`,
  }),
  entryOf(`${site}/notes/40017/?signature=${signature}`, { atMs: 2060, responseBody: "<title>Milk</title>" }),
  entryOf(`${site}/notes/list`, {
    atMs: 4000,
    type: "fetch",
    headers: sentBy("/notes/40017/"),
    responseBody: "[]",
  }),
  entryOf(`${site}/notes/40017/delete/`, {
    method: "POST",
    atMs: 6000,
    headers: sentBy(`/notes/40017/?signature=${signature}`),
    form: {},
    responseBody: "<title>Gone</title>",
  }),
  entryOf(`${api}/events`, {
    method: "POST",
    atMs: 6100,
    type: "fetch",
    headers: { Origin: site, Referer: `${site}/` },
    form: { seen: "1" },
    responseBody: "{}",
  }),
];

/** A site that refuses POSTs from other origins, as SvelteKit and Django do, and numbers its notes itself. */
function startSite(): { readonly handle: Handler; readonly refused: string[]; readonly referers: string[] } {
  const refused: string[] = [];
  const referers: string[] = [];
  let notes = 0;
  const handle: Handler = ({ method = "", url = "", headers }, response) => {
    const { host = "", origin, referer } = headers;
    if (method !== "POST") {
      // A browser keeps the referer when it follows a redirect.
      const namesItsOrigin = origin !== undefined || (referer !== undefined && !url.includes("signature"));
      if (namesItsOrigin) refused.push(`${method} ${url} says where it is from`);
      response.end("<title>Page</title>");
      return;
    }
    if (referer !== undefined) referers.push(referer.replace(`http://${host}`, ""));
    if (origin !== `http://${host}`) refused.push(`${method} ${url} from ${origin ?? "nowhere"}`);
    const isNew = url === "/notes/new/";
    if (origin !== `http://${host}`) response.writeHead(403).end();
    else if (isNew)
      response.writeHead(302, { location: `/notes/${(notes += 1)}/?signature=x${notes}` }).end();
    else response.end(url === "/events" ? "{}" : "<title>Gone</title>");
  };
  return { handle, refused, referers };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

test("an imported test sends POSTs with the origin and referer that the site's own pages would send", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "notes.ts");
  const imported = await runBearhug(["import", writeCapture(folder, recorded), "-o", file]);
  expect(imported.exitCode, imported.stderr).toBe(0);
  const source = readFileSync(file, "utf8");
  expect(source).toContain("http: { origin: true }");
  expect(source).toContain('referer: "/notes/new/?from=menu"');
  expect(source).toContain(`origin: "${site}"`);
  expect(source).not.toMatch(new RegExp(`40017|${signature}`));

  const checked = await runBearhug(["check", file]);
  expect(checked.stdout.replace(/\s+/g, " ")).toContain("sends its origin with POST, PUT, PATCH and DELETE");

  const { handle, refused, referers } = startSite();
  const server = await startServer(handle);
  const out = join(folder, "result.json");
  const load = ["--workers", "0", "--iterations", "2", "--out", `json=${out}`];
  const ended = await runBearhug(["run", file, "--target", server.url, ...load]);
  const { checks } = readResult(out, ended);
  expect(refused).toEqual([]);
  expect(checks.filter(({ fails }) => fails > 0)).toEqual([]);
  expect(ended.exitCode, ended.stdout).toBe(0);
  expect(referers).toEqual(
    [1, 2].flatMap((note) => ["/notes/new/?from=menu", `/notes/${note}/?signature=x${note}`]),
  );
});
