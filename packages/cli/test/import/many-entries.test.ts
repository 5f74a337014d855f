import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { smallEntry } from "./small-entry.ts";

const entries = 30_000;

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
