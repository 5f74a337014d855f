import type { ServerResponse } from "node:http";

import { expect, test } from "vitest";

import { failedChecksOf, type Handler } from "./run-imported.ts";

const types: Readonly<Record<string, string>> = {
  "/": "text/html; charset=utf-8",
  "/app.4f2a.js": "text/javascript",
  "/api/orders": "application/json",
};

/** A page that loads a script and then data, as an application of a single page does. */
const recorded = Object.entries(types).map(([path, type], index) => ({
  startedDateTime: new Date(Date.UTC(2026, 0, 1) + index * 100).toISOString(),
  time: 30,
  request: {
    method: "GET",
    url: `https://app.test${path}`,
    httpVersion: "h2",
    headers: [{ name: "accept", value: path === "/" ? "text/html,*/*;q=0.8" : "*/*" }],
    cookies: [],
    queryString: [],
  },
  response: {
    status: 200,
    httpVersion: "h2",
    cookies: [],
    redirectURL: "",
    headers: [{ name: "content-type", value: type }],
    content: { size: 2, mimeType: type, text: "[]" },
  },
  timings: { send: 1, wait: 20, receive: 3 },
}));

const respond = (response: ServerResponse, type: string, body: string): void => {
  response.writeHead(200, { "content-type": type }).end(body);
};

const sites: Readonly<Record<string, readonly [Handler, readonly string[]]>> = {
  "the application": [({ url = "" }, response) => respond(response, types[url] ?? "", "[]"), []],
  "its page for every path": [
    (_request, response) => respond(response, "text/html", "<title>App</title>"),
    ["is JSON", "is not HTML"],
  ],
  "an empty response for every path": [(_request, response) => void response.end(), ["is HTML", "is JSON"]],
  "nothing, with the right types": [
    ({ url = "" }, response) => respond(response, types[url] ?? "", ""),
    ["is HTML", "is JSON"],
  ],
};

test.each(Object.entries(sites))(
  "the test of a capture notices that the target serves %s",
  async (_site, [handler, wrong]) => {
    expect((await failedChecksOf(recorded, handler)).toSorted()).toEqual(wrong);
  },
);
