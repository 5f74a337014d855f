import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { createServer } from "../../src/server.ts";
import { folderOf, partsFor } from "../connect.ts";
import { serveHttp } from "./serve-http.ts";
import { addSuiteFixtures } from "./suite-fixtures.ts";

const suite = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");

test("the server passes the server suite of MCP's conformance tests", async () => {
  const bounds = { hosts: ["127.0.0.1"], vus: 4, seconds: 60, directory: folderOf({}) };
  const url = await serveHttp(() => {
    const server = createServer(partsFor(bounds));
    addSuiteFixtures(server);
    return server;
  });
  const line = [suite, "server", "--url", url, "--suite", "all"];
  const { stdout } = await promisify(execFile)(process.execPath, line, { cwd: folderOf({}) }).catch(
    (error: unknown) => error as { stdout: string },
  );
  const summary = stdout.slice(stdout.indexOf("=== SUMMARY ==="));
  expect(summary.match(/^✗ .*/gm) ?? [], summary).toEqual([]);
  expect(summary).toMatch(/^✓ tools-list: 1 passed, 0 failed$/m);
  expect(summary.match(/^✓ /gm)?.length).toBeGreaterThan(25);
});
