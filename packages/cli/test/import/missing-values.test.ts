import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readResult, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { startServer } from "../end-to-end/test-server.ts";
import { entryOf, writeCapture } from "./shop-capture.ts";

const site = "https://shop.test";

/** A script of the site sends headers, a form and JSON without the values that belong there. */
const recorded = [
  entryOf(`${site}/`, { responseBody: "<title>Shop</title>" }),
  entryOf(`${site}/api/ads?slot=undefined`, {
    atMs: 100,
    type: "fetch",
    headers: {
      "X-Mode": "undefined",
      "X-View": "size=NaN; of=[object Object]",
      Referer: `${site}/?from=undefined`,
    },
    responseBody: "{}",
  }),
  entryOf(`${site}/api/seen`, {
    method: "POST",
    atMs: 200,
    type: "fetch",
    headers: { "X-Mode": "undefined", Origin: site, Referer: `${site}/?from=undefined` },
    form: { campaign: "undefined", width: "NaN", tag: "[object Object]", größe: "NaN", [`it's "x"`]: "NaN" },
    responseBody: "{}",
  }),
  withJson(entryOf(`${site}/api/events`, { method: "POST", atMs: 300, type: "fetch", responseBody: "{}" }), {
    events: [{ slot: "undefined", ratio: null, extra: {}, sizes: ["a", "NaN"], 地区: ["NaN"] }],
    languages: ["en;q=0.9", "undefined"],
  }),
];

function withJson(entry: Record<string, unknown>, json: unknown): Record<string, unknown> {
  const postData = { mimeType: "application/json", text: JSON.stringify(json) };
  return { ...entry, request: { ...(entry["request"] as object), postData } };
}

test("the test of a site that sends undefined, NaN and [object Object] itself runs", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "imported.ts");
  const imported = await runBearhug(["import", writeCapture(folder, recorded), "-o", file]);
  expect(imported.exitCode, imported.stderr).toBe(0);
  const sent: string[] = [];
  const server = await startServer((request, response) => {
    sent.push(`${request.url} ${String(request.headers["x-mode"])} ${String(request.headers["x-view"])}`);
    response.end(request.url === "/" ? "<title>Shop</title>" : "{}");
  });
  const out = join(folder, "result.json");
  const ended = await runBearhug(["run", file, "--target", server.url, "--out", `json=${out}`]);
  expect(readResult(out, ended).messages, readFileSync(file, "utf8")).toEqual([]);
  expect(ended.exitCode).toBe(0);
  expect(sent.slice(0, 4)).toEqual([
    "/ undefined undefined",
    "/api/ads?slot=undefined undefined size=NaN; of=[object Object]",
    "/api/seen undefined undefined",
    "/api/events undefined undefined",
  ]);
});
