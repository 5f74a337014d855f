// How much memory does a virtual user take that has its own connection and cookie jar? Resident memory of the
// generator with 10,000 of them, less that with 1,000, divided by 9,000: all connected, all thinking, each
// with a cookie that it has sent back. Median of three. TLS, and HTTP/2 over it, with fewer virtual users,
// are printed as well, without a limit. `node bench/vu-memory.ts 2000 500 1` compares other numbers, once.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

import { hasOpenssl } from "../packages/http/test/make-certificate.ts";
import { runTestBy } from "./bench-process.ts";
import { sampleProcess } from "./process-sample.ts";
import {
  startCookieServer,
  type CookieCounts,
  type CookieServer,
  type Protocol,
} from "./start-cookie-server.ts";
import { median } from "./statistics.ts";

const wantedKb = 40;
const [many = 10_000, few = 1000, rounds = 3] = process.argv.slice(2).map(Number);
const firstThinkS = 10;
/** The time after the last response until the garbage from the start is collected. */
const settleMs = 15_000;
const samples = 21;
const sampleEveryMs = 250;
const lastThinkS = 60;

const kb = await measure("http1", many, few);
console.log(`${kb.toFixed(1)} KB a virtual user on HTTP/1.1 (at most ${wantedKb} wanted)`);
process.exitCode = kb <= wantedKb ? 0 : 1;
if (hasOpenssl) {
  const [fewerMany, fewerFew] = [Math.round(many / 4), Math.round(few / 2)];
  for (const protocol of ["tls", "http2"] as const) {
    const kbOfIt = await measure(protocol, fewerMany, fewerFew);
    console.log(`${kbOfIt.toFixed(1)} KB a virtual user, ${protocol === "tls" ? "TLS" : "HTTP/2 over TLS"}`);
  }
}

async function measure(protocol: Protocol, manyVus: number, fewVus: number): Promise<number> {
  const figures: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const [manyMb, fewMb] = [await memoryOf(protocol, manyVus), await memoryOf(protocol, fewVus)];
    const figure = ((manyMb - fewMb) * 1024) / (manyVus - fewVus);
    figures.push(figure);
    console.log(
      `${protocol}, round ${round}: ${manyVus} VUs ${manyMb.toFixed(1)} MB, ${fewVus} VUs ${fewMb.toFixed(1)} MB: ${figure.toFixed(1)} KB`,
    );
  }
  return median(figures);
}

/** Returns the memory in MiB, while all virtual users think. */
async function memoryOf(protocol: Protocol, vus: number): Promise<number> {
  const server = await startCookieServer(protocol);
  const source = `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  http: { cookies: "vu", tls: { insecureSkipTlsVerify: true } },
  scenarios: {
    visitors: {
      executor: "constant-vus", vus: ${vus}, duration: "10m", gracefulStop: "0s",
      exec: async ({ http, think }) => {
        await http.get("/");
        await think("${firstThinkS}s");
        await http.get("/");
        await think("${lastThinkS}s");
      },
    },
  },
});`;
  try {
    const { result, used } = await runTestBy(source, ["--workers", "1"], (command) =>
      watch(command, vus, server),
    );
    const failed = result.accounting.requests.reduce((sum, request) => sum + request.failed, 0);
    if (failed > 0) throw new Error(`${failed} requests failed`);
    return used;
  } finally {
    server.stop();
  }
}

/** Waits until every virtual user has sent its cookie back, measures, and interrupts the run. */
async function watch(
  [node = "", ...rest]: readonly string[],
  vus: number,
  server: CookieServer,
): Promise<number> {
  const child = spawn(node, rest, { stdio: ["ignore", "ignore", "inherit"] });
  const exit = once(child, "exit");
  try {
    await untilAllReturned(vus, server);
    await wait(settleMs);
    const resident: number[] = [];
    for (let sample = 0; sample < samples; sample++) {
      resident.push(sampleProcess(child.pid ?? 0)?.rssMb ?? Number.NaN);
      await wait(sampleEveryMs);
    }
    const counts = await server.counts();
    if (!isExpected(counts, vus)) throw new Error(`of ${vus} VUs the server saw ${JSON.stringify(counts)}`);
    return median(resident);
  } finally {
    child.kill("SIGINT");
    await exit;
  }
}

async function untilAllReturned(vus: number, server: CookieServer): Promise<void> {
  const latest = performance.now() + (firstThinkS + lastThinkS) * 1000;
  while ((await server.counts()).cookies < vus) {
    if (performance.now() > latest) {
      throw new Error(`of ${vus} VUs the server saw ${JSON.stringify(await server.counts())}`);
    }
    await wait(200);
  }
}

function isExpected({ visitors, cookies, openConnections }: CookieCounts, vus: number): boolean {
  return visitors === vus && cookies === vus && openConnections === vus;
}
