import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { HttpPhase, KnownHttpErrorCode, Timeouts } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { startListener } from "./net/start-listener.ts";
import { startNameServer } from "./net/start-name-server.ts";
import { startFullServer } from "./delayed-phases/full-backlog.ts";
import { startSlowHttp2Reader, startSlowReader } from "./delayed-phases/start-late-server.ts";
import { startRawServer } from "./servers.ts";
import { startClient } from "./start-client.ts";

/** Long enough for a connection to open on a busy machine. */
const timeoutMs = 400;
const foreverMs = 60_000;

interface Stalled {
  readonly url: string;
  readonly http?: Partial<ValidatedHttp>;
  readonly body?: Uint8Array;
}

interface Stall {
  readonly what: string;
  readonly start: () => Promise<Stalled>;
  /** The timeouts that it exceeds, each tested by itself. */
  readonly bounds: readonly (keyof Timeouts)[];
  readonly code: KnownHttpErrorCode;
  readonly phase: HttpPhase;
}

/** Starts a server that accepts connections and never sends anything. */
async function startSilence(): Promise<string> {
  const { port } = await startListener("127.0.0.1");
  return `127.0.0.1:${port}`;
}

const opening: readonly Stall[] = [
  {
    what: "a name server that does not answer",
    start: async () => {
      const { address } = await startNameServer(() => "silence");
      return { url: "http://shop.example", http: { dns: { ...defaultHttp.dns, servers: [address] } } };
    },
    bounds: ["connect", "whole"],
    code: "DNS_TIMEOUT",
    phase: "lookingUp",
  },
  {
    what: "a proxy that opens no tunnel",
    start: async () => ({
      url: "https://shop.example",
      http: { proxy: `http://${await startSilence()}` },
    }),
    bounds: ["connect", "whole"],
    code: "PROXY_TIMEOUT",
    phase: "connecting",
  },
  {
    what: "a TLS handshake that is not answered",
    start: async () => ({ url: `https://${await startSilence()}` }),
    bounds: ["connect", "whole"],
    code: "TLS_TIMEOUT",
    phase: "tlsHandshaking",
  },
  // On other systems, a server with a full backlog accepts or refuses.
  ...(process.platform === "linux"
    ? ([
        {
          what: "a server that accepts no connection",
          start: async () => ({ url: (await startFullServer()).url }),
          bounds: ["connect", "whole"],
          code: "CONNECT_TIMEOUT",
          phase: "connecting",
        },
        {
          what: "a proxy that accepts no connection",
          start: async () => ({
            url: "http://shop.example",
            http: { proxy: (await startFullServer()).url },
          }),
          bounds: ["connect", "whole"],
          code: "PROXY_TIMEOUT",
          phase: "connecting",
        },
      ] as const)
    : []),
];

const carrying: readonly Stall[] = [
  {
    what: "a server that does not read",
    start: async () => {
      const body = Buffer.alloc(16 * 1024 * 1024);
      return { url: (await startSlowReader(foreverMs, body.length)).url, body };
    },
    bounds: ["whole"],
    code: "RESPONSE_TIMEOUT",
    phase: "sending",
  },
  {
    what: "a server of HTTP/2 that does not read",
    start: async () => {
      const { url } = await startSlowHttp2Reader(foreverMs);
      return { url, body: Buffer.alloc(1024 * 1024), http: { protocol: "h2c" } };
    },
    bounds: ["whole"],
    code: "RESPONSE_TIMEOUT",
    phase: "sending",
  },
  {
    what: "a server that sends nothing",
    start: async () => ({ url: (await startRawServer(() => {})).url }),
    bounds: ["firstByte", "whole"],
    code: "RESPONSE_TIMEOUT",
    phase: "waiting",
  },
  {
    what: "a server of HTTP/2 that sends nothing",
    start: async () => ({ url: (await startSlowHttp2Reader(foreverMs)).url, http: { protocol: "h2c" } }),
    bounds: ["firstByte", "whole"],
    code: "RESPONSE_TIMEOUT",
    phase: "waiting",
  },
  {
    what: "a body that stops",
    start: async () => {
      const start = "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx";
      return { url: (await startRawServer((socket) => socket.write(start))).url };
    },
    bounds: ["whole"],
    code: "RESPONSE_TIMEOUT",
    phase: "receiving",
  },
];

const byBound = (stalls: readonly Stall[]) =>
  stalls.flatMap((stall) => stall.bounds.map((bound) => ({ ...stall, bound })));

const optionOf = { connect: "timeout.connect", firstByte: "timeout.firstByte", whole: "timeout" } as const;

/** Sends a request to a peer that stalls; it must time out in that phase, by that timeout, and not early. */
async function timeOut({ start, bound, code, phase }: Stall & { readonly bound: keyof Timeouts }) {
  const { url, http = {}, body } = await start();
  const client = startClient(url, [], [], { ...defaultHttp, ...http });
  const options = { timeout: { [bound]: timeoutMs }, ...(body === undefined ? {} : { body }) };
  const calledAt = performance.now();
  const response = await client.http.post("/", options);
  expect(performance.now() - calledAt).toBeGreaterThanOrEqual(timeoutMs);
  expect(response).toMatchObject({ status: 0, error: { code, phase } });
  expect(response.error?.message).toContain(`within ${timeoutMs} ms (${optionOf[bound]})`);
  expect(response.timings.responseTime).toBeGreaterThanOrEqual(timeoutMs);
  return { ...client, response };
}

describe("a request whose connection does not open in time", () => {
  test.each(byBound(opening))("has no latency: $what, $bound", async (stall) => {
    const { row, metric } = await timeOut(stall);
    expect(row("POST /")).toMatchObject({ started: 1, sent: 0, failed: 1 });
    expect(metric("http_req_duration")).toBeUndefined();
    expect(metric("http_req_response_time")).toBeUndefined();
    expect(metric("http_req_failed")).toMatchObject({ trues: 1, samples: 1 });
  });
});

describe("a request that was sent and gets no response in time", () => {
  test.each(byBound(carrying))("has a latency of at least the timeout: $what, $bound", async (stall) => {
    const { row, metric, response } = await timeOut(stall);
    expect(row("POST /")).toMatchObject({ started: 1, sent: 1, failed: 1 });
    const recorded = metric("http_req_response_time");
    expect(recorded?.type === "trend" ? recorded.min : 0).toBeGreaterThanOrEqual(timeoutMs * 1000);
    const { blocked, duration } = response.timings;
    // The rest of the time is the wait for a connection.
    expect(blocked + duration).toBeGreaterThanOrEqual(timeoutMs);
    if (stall.bound === "firstByte") expect(response.timings.waiting).toBeGreaterThanOrEqual(timeoutMs);
  });
});
