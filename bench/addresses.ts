// How much does it cost to find the destination of a request? Nanoseconds for a constant address, alone and
// after 10,000 other addresses; for addresses that are used once; and for one `new URL` for comparison.
// Medians of nine rounds.
import { AllowedHosts, MovedHosts } from "../packages/http/src/request/hosts.ts";
import { EndpointCache } from "../packages/http/src/request/endpoint-cache.ts";
import { SharedAccounting } from "../packages/plan/src/protocol/shared-accounting.ts";
import { median } from "./statistics.ts";
import { createMask } from "../packages/text/src/secret-mask.ts";

const baseUrl = "http://127.0.0.1:8080";
const rounds = 9;
const calls = 200_000;
const others = 10_000;

/**
 * A constant address may cost twice as much after many others. An address that is used once may cost as much
 * as two `new URL`.
 */
const wanted = { afterOthers: 2, onceBesideUrl: 2 };

const alone: number[] = [];
const afterOthers: number[] = [];
const once: number[] = [];
const parsed: number[] = [];
for (let round = 0; round < rounds; round++) {
  const endpoints = newEndpoints();
  alone.push(nanoseconds(calls, () => endpoints.get("GET", "/catalog/list?page=1").plain.path));
  const crowded = newEndpoints();
  for (let id = 0; id < others; id++) crowded.get("GET", `/products/${round}-${id}?from=list`);
  afterOthers.push(nanoseconds(calls, () => crowded.get("GET", "/catalog/list?page=1").plain.path));
  once.push(
    nanoseconds(calls, (call) => crowded.get("GET", `/products/${round}-${call}?from=search`).plain.path),
  );
  parsed.push(
    nanoseconds(calls, (call) => new URL(`/products/${round}-${call}?from=search`, baseUrl).search),
  );
}
printFigure("a constant address", alone);
printFigure(`the same after ${others} others`, afterOthers);
printFigure("an address that is used once", once);
printFigure("new URL of it, for comparison", parsed);
const ratios = {
  afterOthers: median(afterOthers) / median(alone),
  onceBesideUrl: median(once) / median(parsed),
};
console.log(
  `after others ${ratios.afterOthers.toFixed(2)} times (at most ${wanted.afterOthers} wanted), ` +
    `used once ${ratios.onceBesideUrl.toFixed(2)} times new URL (at most ${wanted.onceBesideUrl} wanted)`,
);
const isWanted = ratios.afterOthers <= wanted.afterOthers && ratios.onceBesideUrl <= wanted.onceBesideUrl;
process.exitCode = isWanted ? 0 : 1;

function newEndpoints(): EndpointCache {
  return new EndpointCache({
    baseUrl,
    allowedHosts: new AllowedHosts(baseUrl, []),
    movedHosts: new MovedHosts(baseUrl, null),
    accounting: new SharedAccounting(),
    defaultHeaders: [],
    mask: createMask([]),
  });
}

/**
 * Returns the nanoseconds of one call. The results are used, so that the compiler cannot remove the calls.
 */
function nanoseconds(count: number, call: (index: number) => string): number {
  let length = 0;
  const began = process.hrtime.bigint();
  for (let index = 0; index < count; index++) length += call(index).length;
  const took = Number(process.hrtime.bigint() - began);
  if (length === 0) throw new Error("nothing was found");
  return took / count;
}

function printFigure(what: string, ns: readonly number[]): void {
  console.log(`${what.padEnd(36)} ${median(ns).toFixed(0).padStart(6)} ns`);
}
