import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { startBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { entryOf, writeCapture } from "./shop-capture.ts";

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s while --redact-har writes its capture leaves no file",
  async (signal) => {
    const folder = temporaryFolder();
    const body = JSON.stringify(Array.from({ length: 2000 }, (_, id) => ({ id, name: `item ${id}` })));
    const entries = Array.from({ length: 120 }, (_, index) =>
      entryOf(`https://shop.test/${index}`, {
        atMs: index * 10,
        type: "fetch",
        responseBody: `${body}${index}`,
      }),
    );
    const capture = writeCapture(folder, entries);
    const running = startBearhug(["import", capture, "--redact-har", "clean.har"], folder);
    while (!readdirSync(folder).some((name) => name.endsWith(".tmp")) && running.child.exitCode === null)
      await sleep(1);
    running.child.kill(signal);
    const { exitCode, stdout, stderr } = await running;
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 105,
      stdout: "",
      stderr: `bearhug import: ${signal}: stopped; no file was written\n`,
    });
    expect(readdirSync(folder)).toEqual(["shop.har"]);
  },
);
