import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { temporaryFolder } from "../end-to-end/run-bearhug.ts";

/** A request as a browser would record it. */
export interface TimedRequest {
  /** A path of the shop, or a full URL of another host. */
  readonly url: string;
  /** Milliseconds from the start of the recording. */
  readonly atMs: number;
  readonly blockedMs?: number;
  /** Includes the TLS handshake. */
  readonly connectMs?: number;
  readonly waitMs: number;
  readonly receiveMs?: number;
  readonly type?: "document" | "stylesheet" | "script" | "image" | "xhr";
  /** The path of the resource that caused this request. */
  readonly initiator?: string;
  readonly status?: number;
  readonly location?: string;
  readonly protocol?: "http/1.1" | "h2";
  readonly page?: string;
}

const site = "https://shop.test";
const mimeTypes = {
  document: "text/html",
  stylesheet: "text/css",
  script: "text/javascript",
  image: "image/png",
  xhr: "application/json",
};

/** Writes a capture of these requests, with the pages that they name, in order. */
export function writeTimedCapture(requests: readonly TimedRequest[]): string {
  const path = join(temporaryFolder(), "timed.har");
  const titles = [...new Set(requests.map(({ page = "home" }) => page))];
  const pages = titles.map((title) => {
    const atMs = Math.min(...requests.filter(({ page = "home" }) => page === title).map((one) => one.atMs));
    return { id: title, title, startedDateTime: date(atMs), pageTimings: {} };
  });
  const entries = requests.map(entryOf);
  writeFileSync(path, JSON.stringify({ log: { version: "1.2", pages, entries } }));
  return path;
}

/** Returns the time of each page in ms, from the start of its first request to the end of its last. */
export function recordedPageTimes(requests: readonly TimedRequest[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const [page, own] of Map.groupBy(requests, ({ page = "home" }) => page)) {
    const startMs = Math.min(...own.map(({ atMs }) => atMs));
    times.set(page, Math.max(...own.map((one) => one.atMs + durationOf(one))) - startMs);
  }
  return times;
}

function durationOf({ blockedMs = 0, connectMs = 0, waitMs, receiveMs = 0 }: TimedRequest): number {
  return blockedMs + connectMs + waitMs + receiveMs;
}

function entryOf(request: TimedRequest): Record<string, unknown> {
  const { url, atMs, blockedMs = -1, connectMs = -1, waitMs, receiveMs = 0, type = "image" } = request;
  const { initiator, status = 200, location, protocol = "http/1.1", page = "home" } = request;
  return {
    pageref: page,
    startedDateTime: date(atMs),
    time: durationOf(request),
    _resourceType: type,
    ...(initiator === undefined ? {} : { _initiator: { type: "script", url: absolute(initiator) } }),
    request: { method: "GET", url: absolute(url), httpVersion: protocol, headers: [], queryString: [] },
    response: {
      status,
      httpVersion: protocol,
      headers: location === undefined ? [] : [{ name: "location", value: absolute(location) }],
      redirectURL: location === undefined ? "" : absolute(location),
      content: { size: 20_000, mimeType: mimeTypes[type] },
    },
    timings: {
      blocked: blockedMs,
      dns: -1,
      connect: connectMs,
      ssl: connectMs < 0 ? -1 : connectMs / 2,
      send: 0,
      wait: waitMs,
      receive: receiveMs,
    },
  };
}

function absolute(url: string): string {
  return new URL(url, site).href;
}

function date(atMs: number): string {
  return new Date(Date.UTC(2026, 0, 1) + atMs).toISOString();
}
