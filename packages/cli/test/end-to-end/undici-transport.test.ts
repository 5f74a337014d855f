import { type TestResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, runBearhug, writeTest } from "./run-bearhug.ts";
import { startServer, type TestServer } from "./test-server.ts";

const body = "x".repeat(200_000);

/** Starts a server that gives each visitor a cookie, echoes it, redirects, and counts uploaded bytes. */
const startShop = (): Promise<TestServer> => {
  let visitors = 0;
  return startServer((request, response) => {
    if (request.url === "/login") response.setHeader("set-cookie", `visitor=${++visitors}`);
    let bytes = 0;
    request.on("data", (piece: Buffer) => (bytes += piece.length));
    request.on("end", () => {
      if (request.url === "/away") response.writeHead(302, { location: "/who" }).end();
      else if (request.url === "/large") response.end(body);
      else if (request.url === "/upload") response.end(String(bytes));
      else response.end(request.headers.cookie ?? "nobody");
    });
  });
};

const source = (url: string) => `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${url}",
  setup: async ({ http }) => (await http.get("/setup")).status,
  scenarios: {
    buyers: {
      executor: "per-vu-iterations", vus: 3, iterations: 8,
      exec: async ({ http, check }) => {
        await http.get("/login");
        const own = (await http.get("/who")).text();
        check(await http.get("/away"), { "same visitor": (response) => response.text() === own && own !== "nobody" });
        check(await http.post("/upload", { body: new Uint8Array(300_000) }), { "all came": (response) => response.text() === "300000" });
        check(await http.get("/large"), { "all of it": (response) => response.text().length === 200_000 });
        await http.delete("/item", { body: "reason" });
        check(await (await http.fetch("/who")).text(), { "fetch is the same visitor": (text) => text === own });
      },
    },
  },
});`;

const paths = ["GET /login", "GET /away", "POST /upload", "GET /large", "DELETE /item"];

function countsOf({ accounting, metrics }: TestResult) {
  return {
    requests: accounting.requests.toSorted((one, other) => one.name.localeCompare(other.name)),
    samples: ["http_req_duration", "http_req_sending", "http_req_waiting", "http_req_receiving"]
      .map((name) => metrics[name]?.values)
      .map((values) => values?.["count" as keyof typeof values]),
  };
}

describe("transport undici", () => {
  test("has the same counts, phases, cookies, bodies and connections as the engine's own", async () => {
    const runs = await Promise.all(
      (["bearhug", "undici"] as const).map(async (transport) => {
        const server = await startShop();
        const file = writeTest(source(server.url));
        const run = await runForResult(["run", file, "--workers", "2", "--transport", transport]);
        expect(run.exitCode, run.stdout + run.stderr).toBe(0);
        expectBalanced(run.result);
        for (const path of paths) expect(server.counts.get(path), path).toBe(24);
        // One connection for each virtual user, and one for setup.
        expect(server.connections()).toBe(4);
        expect(run.result.metrics["checks"]?.values).toMatchObject({ rate: 1, passes: 96 });
        expect(run.result.unmeasured).toEqual([]);
        expect(run.result.plan.scenarios).toMatchObject([{ name: "buyers", transport }]);
        return run;
      }),
    );
    const [own, undici] = runs.map(({ result }) => countsOf(result));
    expect(undici).toEqual(own);
    expect(own!.samples).toEqual([192, 192, 192, 192]);
    const [ownBytes, undiciBytes] = runs.map(({ result }) => ({
      sent: bytesOf(result, "data_sent"),
      received: bytesOf(result, "data_received"),
    }));
    // Their heads differ in a few bytes.
    expect(undiciBytes!.received).toBe(ownBytes!.received);
    expect(Math.abs(undiciBytes!.sent - ownBytes!.sent)).toBeLessThan(24 * 8 * 100);
    expect(runs[1]!.stdout).toContain("transport: undici");
    expect(runs[0]!.stdout).not.toContain("transport: ");
  });

  test("is used by a scenario that requests it", async () => {
    const server = await startServer();
    const text = (http: string) => `import { defineTest } from "@bearhug/sdk";
const load = { executor: "shared-iterations", vus: 1, iterations: 2, exec: async ({ http }) => void (await http.get("/")) };
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: { own: load, other: { ...load, http: { ${http} } } },
});`;
    const { exitCode, result } = await runForResult(["run", writeTest(text('transport: "undici"'))]);
    expect(exitCode).toBe(0);
    expect(result.plan.scenarios.map(({ name, transport }) => [name, transport])).toEqual([
      ["own", "bearhug"],
      ["other", "undici"],
    ]);
    expect(server.total()).toBe(4);
    const misspelt = await runBearhug(["run", writeTest(text("")), "--transport", "undicii"]);
    expect(misspelt.exitCode).toBe(104);
    expect(misspelt.stderr).toContain(
      '--transport: must be one of "bearhug", "undici", but is "undicii": did you mean "undici"?',
    );
  });
});

function bytesOf({ metrics }: TestResult, name: string): number {
  const metric = metrics[name];
  return metric?.type === "counter" ? metric.values.count : Number.NaN;
}
