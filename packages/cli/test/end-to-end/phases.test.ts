import { once } from "node:events";
import { createServer } from "node:http";
import { createSecureServer } from "node:http2";
import type { AddressInfo } from "node:net";

import type { TestResult } from "@bearhug/sdk";
import { describe, expect, onTestFinished, test } from "vitest";

import { hasOpenssl, makeCertificate } from "../../../http/test/make-certificate.ts";
import { expectBalanced } from "./expect-balanced.ts";
import { runForResult, writeTest } from "./run-bearhug.ts";

const slowMs = 40;

/** The parts of a request and a response that this server uses, common to HTTP/1.1 and HTTP/2. */
interface RequestPart {
  readonly url?: string | undefined;
  resume(): { on(event: "end", listener: () => void): unknown };
}
interface ResponsePart {
  end(text: string): unknown;
}

/** Reads each request whole, then answers: at once, or on `/slow` after 40 ms. */
function answer(request: RequestPart, response: ResponsePart): void {
  request.resume().on("end", () => {
    if (request.url === "/slow") setTimeout(() => response.end("slow"), slowMs + 1);
    else response.end("quick");
  });
}

async function startServer(isSecure: boolean): Promise<string> {
  const server = isSecure
    ? createSecureServer({ ...makeCertificate("IP:127.0.0.1"), allowHTTP1: true }, answer)
    : createServer(answer);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  return `${isSecure ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const vus = [1, 50] as const;
const iterations = 200;

/** Returns a test with one scenario after another, closed and open, on one connection and on fifty. */
function sourceFor(url: string, protocol: string): string {
  const scenarios = vus.flatMap((count, index) => [
    `closed${count}: { executor: "shared-iterations", vus: ${count}, iterations: ${iterations}, startTime: "${index * 500}ms", exec: visit }`,
    `open${count}: { executor: "constant-arrival-rate", rate: ${iterations}, timeUnit: "3s", duration: "3s", onBusy: "queue",
       preAllocatedVUs: ${count}, maxVUs: ${count}, startTime: "${1 + index}s", exec: visit }`,
  ]);
  return `import { defineTest } from "@bearhug/sdk";
    const [small, large] = [Buffer.alloc(2_000), Buffer.alloc(100_000)];
    const visit = async ({ http, iteration }) => {
      const which = iteration.index % 8;
      if (which === 0) await http.post("/large", { body: large });
      else if (which < 4) await http.post("/small", { body: small });
      else await http.get("/");
    };
    export default defineTest({
      baseUrl: "${url}",
      http: { protocol: "${protocol}", tls: { insecureSkipTlsVerify: true } },
      scenarios: { ${scenarios.join(",\n")} },
    });`;
}

/** Returns how many samples a metric has in a scenario. */
function samples({ series }: TestResult, metric: string, scenario: string): number {
  let count = 0;
  for (const { metric: name, tags, values } of series)
    if (name === metric && tags["scenario"] === scenario && "count" in values) count += values["count"];
  return count;
}

const transports = [
  { what: "plain HTTP/1.1", isSecure: false, protocol: "http1" },
  { what: "HTTP/1.1 over TLS", isSecure: true, protocol: "http1" },
  { what: "HTTP/2 over TLS", isSecure: true, protocol: "http2" },
].filter(({ isSecure }) => hasOpenssl || !isSecure);

describe.each(transports)("$what", ({ isSecure, protocol }) => {
  test("every answered request has a sample in each phase, on one connection and on fifty, closed and open", async () => {
    const { result } = await runForResult([
      "run",
      writeTest(sourceFor(await startServer(isSecure), protocol)),
      "--workers",
      "1",
    ]);
    expectBalanced(result);
    expect(result.errors).toEqual([]);
    for (const scenario of vus.flatMap((count) => [`closed${count}`, `open${count}`])) {
      const requests = samples(result, "http_reqs", scenario);
      // A busy machine may be late for some arrivals, which are dropped.
      expect(requests, scenario).toBeGreaterThan(iterations / 2);
      for (const phase of ["sending", "waiting", "receiving"])
        expect(samples(result, `http_req_${phase}`, scenario), `${scenario}: ${phase}`).toBe(requests);
    }
    // No upload ended its connection: each virtual user keeps its own.
    const opened = result.metrics["connections_opened"];
    expect(opened?.type === "counter" ? opened.values.count : Number.NaN).toBeLessThanOrEqual(102);
  });

  test("the time that the server takes counts as waiting, and none of it as sending", async () => {
    const url = await startServer(isSecure);
    const source = `import { defineTest } from "@bearhug/sdk";
      const body = Buffer.alloc(2_000);
      export default defineTest({
        baseUrl: "${url}",
        metrics: { swallowed: { type: "rate" } },
        http: { protocol: "${protocol}", tls: { insecureSkipTlsVerify: true } },
        scenarios: { s: { executor: "shared-iterations", vus: 30, iterations: 600, exec: async ({ http, iteration, metrics }) => {
          const { timings } = iteration.index % 2 === 0 ? await http.get("/slow") : await http.post("/slow", { body });
          metrics.swallowed.add(timings.waiting < ${slowMs - 1});
        } } },
      });`;
    const { result } = await runForResult(["run", writeTest(source), "--workers", "1"]);
    const [sending, waiting] = [result.metrics["http_req_sending"], result.metrics["http_req_waiting"]];
    if (sending?.type !== "trend" || waiting?.type !== "trend") throw new Error("no phases");
    expect(sending.values.med).toBeLessThan(slowMs / 4);
    expect(waiting.values.count).toBe(600);
    expect(waiting.values.med).toBeGreaterThanOrEqual(slowMs - 1);
    // A busy machine may sometimes suspend the process between a write and its time stamp.
    const swallowed = result.metrics["swallowed"];
    expect(swallowed?.type === "rate" ? swallowed.values.rate : 1).toBeLessThan(0.05);
  });
});

test("thresholds judge a phase of one name, of one scenario, and of all requests", async () => {
  const url = await startServer(false);
  const source = `import { defineTest } from "@bearhug/sdk";
    export default defineTest({
      baseUrl: "${url}",
      scenarios: { s: { executor: "shared-iterations", vus: 2, iterations: 10, exec: async ({ http }) => {
        await http.get("/slow");
        await http.get("/quick");
      } } },
      thresholds: {
        "http_req_waiting{name:GET /slow}": ["med>=${slowMs - 1}", "count==10"],
        "http_req_waiting{scenario:s}": ["count==20"],
        "http_req_sending{name:GET /slow,status:200}": ["count==10"],
        "http_req_receiving": ["count==20"],
      },
    });`;
  const { result, exitCode } = await runForResult(["run", writeTest(source), "--workers", "2"]);
  expect(result.thresholds.map(({ passed }) => passed)).toEqual([true, true, true, true, true]);
  expect(exitCode).toBe(0);
});
