import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { describe, expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult } from "./run-bearhug.ts";
import { startServer } from "./test-server.ts";

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** Returns the number of the line in a file, from 1, that has this text. */
const lineOf = (file: string, text: string) =>
  readFileSync(file, "utf8")
    .split("\n")
    .findIndex((line) => line.includes(text)) + 1;

/** Starts a server that echoes the body, and answers like AWS with one queue. */
const startShop = () =>
  startServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      response.writeHead(request.url === "/missing" ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ body: Buffer.concat(pieces).toString(), QueueUrls: ["queue"] }));
    });
  });

describe("well-known clients", () => {
  test("that send with node:http are reported, each with its line", async () => {
    const file = fixture("node-http-clients.ts");
    const base = await startShop();
    const around = [
      { name: "AXIOS", server: await startShop(), text: "axios.get(" },
      { name: "AWS", server: await startShop(), text: "sqs.send(" },
      { name: "HTTPS", server: await startShop(), text: "get(env.HTTPS" },
      // got connects from its own callback: no stack shows its caller, but its import is known.
      { name: "GOT", server: await startShop(), text: 'from "got"' },
    ];
    const variables = [{ name: "BASE", server: base }, ...around].flatMap(({ name, server }) => [
      "--env",
      `${name}=${server.url}`,
    ]);
    const { exitCode, result, stdout, stderr } = await runForResult(["run", file, ...variables]);
    expect(exitCode, stdout + stderr).toBe(0);
    expectBalanced(result);
    expect(result.metrics["http_reqs"]?.values).toMatchObject({ count: 4 });
    for (const { name, server, text } of around) {
      const { host } = new URL(server.url);
      const line = lineOf(file, text);
      expect(stderr, name).toContain(`traffic to ${host} (`);
      const notices = stderr.split("\n").filter((sentence) => sentence.includes(host));
      expect(notices, name).toHaveLength(1);
      expect(notices[0], name).toContain(`node-http-clients.ts:${line}:`);
      expect(notices[0], name).toContain("bypasses bearhug's http and is not in any metric");
      const reported = result.unmeasured.find((traffic) => traffic.host === host);
      expect(reported, name).toMatchObject({ requests: 4, refused: 0, source: { line } });
    }
    expect(result.unmeasured).toHaveLength(4);
    for (const { name, server } of around.filter((one) => one.name !== "HTTPS"))
      expect(server.total(), name).toBe(4);
    expect(stdout).toContain("16 requests bypassed bearhug's http and are not in any metric");
  });

  test("are measured over fetch, as the documentation shows", async () => {
    const server = await startShop();
    const { exitCode, result, stdout, stderr } = await runForResult([
      "run",
      fixture("fetch-clients.ts"),
      "--env",
      `BASE=${server.url}`,
    ]);
    expect(exitCode, stdout + stderr).toBe(0);
    expectBalanced(result);
    expect(result.unmeasured).toEqual([]);
    expect(stderr).not.toContain("bypasses");
    expect(result.metrics["checks"]?.values).toMatchObject({ passes: 16, rate: 1 });
    const counted = result.series
      .filter(({ metric, tags }) => metric === "http_reqs" && tags["page"] === "shop")
      .map(({ tags, values }) => [tags["name"], values["count"]]);
    expect(counted).toEqual(expect.arrayContaining([["POST /axios", 4]]));
    for (const name of ["POST /axios", "GET /missing", "PUT /ky", "POST /"]) {
      expect(server.counts.get(name), name).toBe(4);
      expect(result.accounting.requests, name).toContainEqual(
        expect.objectContaining({ name, started: 4, sent: 4 }),
      );
    }
    expect(result.metrics["http_req_waiting"]?.values).toMatchObject({ count: server.total() });
  });
});
