import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer } from "node:http2";
import type { AddressInfo, Socket } from "node:net";

import type { TestResult } from "@bearhug/sdk";
import { describe, expect, onTestFinished, test } from "vitest";

import * as bench from "../../src/commands/bench/bench.ts";
import * as run from "../../src/commands/run/run.ts";
import { validateCommandLine } from "../../src/commands/command-line/validate-command-line.ts";
import { findProblems } from "../../src/commands/reading.ts";
import { readResult, runBearhug, temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { hasOpenssl, makeCertificate } from "../../../http/test/make-certificate.ts";

const page = readFileSync(new URL("../../../../docs/coming-from.md", import.meta.url), "utf8");

/** The command lines that readers may copy, without `npx bearhug`. */
const lines = [...page.matchAll(/^npx bearhug (.*)$/gm)].map(([, line = ""]) => line);

/** Splits a line into arguments as a shell would; the page's lines quote only with double quotes. */
function argumentsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

describe("docs/coming-from.md", () => {
  test("names only flags that bearhug has, after the arrow of each row", () => {
    const names = new Set(
      [bench, run].flatMap(({ createCommand }) =>
        createCommand().options.flatMap(({ short, long }) => [short, long]),
      ),
    );
    const rows = (page.match(/^- .*/gm) ?? []).map((row) => row.split(" → "));
    expect(rows.filter((halves) => halves.length !== 2)).toEqual([]);
    const code = rows.flatMap(([, ours = ""]) =>
      [...ours.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text),
    );
    const flags = code.flatMap((text) => text.match(/(?<=^| )--?[a-zA-Z][\w-]*/g) ?? []);
    expect(flags.length).toBeGreaterThan(80);
    expect(flags.filter((flag) => !names.has(flag))).toEqual([]);
  });

  test("has only valid command lines", () => {
    const folder = temporaryFolder();
    writeFileSync(`${folder}/body.txt`, "a body");
    expect(lines).toHaveLength(4);
    for (const line of lines) {
      const given = argumentsOf(line.replace("body.txt", `${folder}/body.txt`));
      validateCommandLine(bench.createCommand(), given, findProblems, {});
    }
  });
});

/** Divides the numbers that determine the load by 100, and sets the duration to 0.3 s. Body sizes stay. */
function shortened(line: string): string {
  return line
    .replaceAll(/(?<= (?:-c|-n|-t|--rate|--max-active-requests) )\d+/g, (text) =>
      String(Math.ceil(Number(text) / 100)),
    )
    .replace(/(?<= -d )\S+/, "300ms");
}

interface Seen {
  readonly methods: Set<string | undefined>;
  readonly bodies: Set<number>;
  requests: number;
  connections: number;
}

/** Starts a server for HTTP/1.1, or for HTTP/2 over TLS. */
async function startServer(isSecure: boolean): Promise<{ url: string; seen: Seen }> {
  const seen: Seen = { methods: new Set(), bodies: new Set(), requests: 0, connections: 0 };
  const sockets = new Set<Socket>();
  const server = isSecure ? createSecureServer(makeCertificate("DNS:localhost")) : createServer();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => {
      seen.requests++;
      seen.methods.add(request.method);
      seen.bodies.add(bytes);
      response.end("hello\n");
    });
  });
  server.on(isSecure ? "secureConnection" : "connection", (socket: Socket) => {
    seen.connections++;
    sockets.add(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http${isSecure ? "s" : ""}://127.0.0.1:${port}/`, seen };
}

/** Runs one of the page's lines, shortened, against a new server. */
async function runLine(
  line: string,
  isSecure = false,
): Promise<Seen & { result: TestResult; stdout: string }> {
  const folder = temporaryFolder();
  writeFileSync(`${folder}/body.txt`, "a body");
  const { url, seen } = await startServer(isSecure);
  const given = argumentsOf(shortened(line).replace(/https?:\S+/, url));
  const ended = await runBearhug([...given, "--out", "json=result.json"], folder);
  return { ...seen, stdout: ended.stdout, result: readResult(`${folder}/result.json`, ended) };
}

const [wrk = "", ab = "", nighthawk1 = "", nighthawk2 = ""] = lines;

describe("the translated line of", () => {
  test("wrk keeps its connections open and lists all percentiles", async () => {
    const { result, stdout, ...seen } = await runLine(wrk);
    expect(result.errors).toEqual([]);
    expect(seen).toMatchObject({ methods: new Set(["GET"]), bodies: new Set([0]), connections: 2 });
    expect(stdout).toContain("Percentile TotalCount 1/(1-Percentile)");
  });

  test("ab posts the file, each time over a new connection", async () => {
    const { result, ...seen } = await runLine(ab);
    expect(result.errors).toEqual([]);
    expect(seen).toMatchObject({ methods: new Set(["POST"]), bodies: new Set([6]) });
    expect(seen.connections).toBe(seen.requests);
  });

  test("Nighthawk for HTTP/1.1 keeps its rate and sends a generated body", async () => {
    const { result, ...seen } = await runLine(nighthawk1);
    expect(result.errors).toEqual([]);
    expect(seen).toMatchObject({ methods: new Set(["GET"]), bodies: new Set([5000]) });
    expect(result.plan.scenarios).toMatchObject([
      { description: expect.stringMatching(/^80 iterations\/s for 300 ms, at most 32 VUs/) as string },
    ]);
    expect(result.accounting.iterations.scheduled).toBe(24);
  });

  test.skipIf(!hasOpenssl)("Nighthawk for HTTP/2 uses HTTP/2 and TLS (needs openssl)", async () => {
    const { result, ...seen } = await runLine(nighthawk2, true);
    expect(result.errors).toEqual([]);
    expect(seen).toMatchObject({ methods: new Set(["GET"]), bodies: new Set([5000]) });
  });
});
