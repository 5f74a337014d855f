import { describe, expect, test } from "vitest";

import { readConnections, type ConnectionFlags } from "../../../src/commands/bench/bench-connections.ts";

const read = (flags: Partial<ConnectionFlags>, url = "https://a.test/") => {
  const problems: string[] = [];
  const requests = [{ method: "GET", url, headers: [], body: null }];
  return { ...readConnections({ noKeepAlive: false, ...flags }, requests, problems), problems };
};

describe("requests in flight, and the connections that they share", () => {
  test.each<[flags: Partial<ConnectionFlags>, vus: number | null, sharedConnections: number | null]>([
    [{}, 10, null],
    [{ connections: "75" }, 75, null],
    [{ rate: "500" }, null, null],
    [{ rate: "500", connections: "75" }, 75, null],
    [{ maxActiveRequests: "200" }, 200, null],
    [{ rate: "500", maxActiveRequests: "200" }, 200, null],
    [{ connections: "10", maxActiveRequests: "200" }, 200, 10],
    [{ maxConcurrentStreams: "16" }, 160, 10],
    [{ connections: "64", maxConcurrentStreams: "16" }, 1024, 64],
    [{ maxActiveRequests: "200", maxConcurrentStreams: "1" }, 200, 200],
    [{ rate: "500", maxActiveRequests: "205", maxConcurrentStreams: "10" }, 205, 21],
    [{ rate: "500", maxConcurrentStreams: "100" }, null, 100],
    [{ connections: "5", maxActiveRequests: "20", maxConcurrentStreams: "2" }, 20, 5],
  ])("%j: %s VUs, %s shared connections", (flags, vus, sharedConnections) => {
    expect(read(flags)).toEqual({ vus, sharedConnections, problems: [] });
  });

  test.each<[flags: Partial<ConnectionFlags>, sentence: string]>([
    [{ connections: "0" }, "-c 0: must be a whole number from 1."],
    [{ maxActiveRequests: "x" }, "--max-active-requests x: must be a whole number from 1."],
    [
      { connections: "75", maxActiveRequests: "20" },
      "-c 75: --max-active-requests 20 can use at most 20 connections. Lower -c, or leave it out.",
    ],
    [
      { connections: "10", maxActiveRequests: "20", noKeepAlive: true },
      "-c, --max-active-requests: with --no-keep-alive each request opens its own connection, so these two set the same limit. Give one.",
    ],
    [
      { maxConcurrentStreams: "5", noKeepAlive: true },
      "--max-concurrent-streams, --no-keep-alive: cannot be combined: each request has a connection of its own. Remove one of them.",
    ],
  ])("%j: %s", (flags, sentence) => {
    expect(read(flags).problems).toEqual([sentence]);
  });

  test("--max-concurrent-streams needs HTTP/2, which http:// URLs use only with --protocol h2c", () => {
    expect(read({ maxConcurrentStreams: "5" }, "http://a.test/").problems).toEqual([
      "--max-concurrent-streams: is only for HTTP/2, and http:// URLs are requested over HTTP/1.1. Use https://, or add --protocol h2c.",
    ]);
    expect(read({ maxConcurrentStreams: "5", protocol: "h2c" }, "http://a.test/").problems).toEqual([]);
  });
});
