import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";

const entries = 30_000;

/** As a recorder of a game or a chat writes them: one small request after another. */
function smallEntry(index: number): object {
  return {
    pageref: `page_${Math.floor(index / 10)}`,
    startedDateTime: new Date(Date.UTC(2026, 0, 1) + index * 40).toISOString(),
    time: 35,
    request: {
      method: "GET",
      url: `https://shop.example/part/${index % 10}/item-${index}`,
      httpVersion: "h2",
      headers: [{ name: "accept", value: "*/*" }],
      cookies: [],
      queryString: [],
    },
    response: {
      status: 200,
      httpVersion: "h2",
      cookies: [],
      redirectURL: "",
      headers: [{ name: "content-type", value: "text/html" }],
      content: { size: 100, mimeType: "text/html", text: "<p>hello</p>" },
    },
    timings: { blocked: 1, dns: -1, connect: -1, ssl: -1, send: 1, wait: 30, receive: 3 },
  };
}

test("a capture of 30,000 small entries is imported in 160 MB of heap", { timeout: 300_000 }, async () => {
  const folder = temporaryFolder();
  const capture = join(folder, "small.har");
  const file = openSync(capture, "w");
  writeSync(file, '{"log":{"version":"1.2","creator":{"name":"test","version":"1"},"pages":[],"entries":[');
  for (let index = 0; index < entries; index += 1000) {
    const some = Array.from({ length: 1000 }, (_, offset) => JSON.stringify(smallEntry(index + offset)));
    writeSync(file, `${index === 0 ? "" : ","}${some.join(",")}`);
  }
  writeSync(file, "]}}");
  closeSync(file);
  const output = join(folder, "small.ts");
  const { exitCode, stderr } = await runBearhug(["import", capture, "-o", output], folder, {
    NODE_OPTIONS: "--max-old-space-size=160",
  });
  expect(exitCode, stderr.slice(-2000)).toBe(0);
  const requests = readFileSync(output, "utf8").match(/check\(await http\.get\("\/part\//g);
  expect(requests?.length).toBe(entries);
});
