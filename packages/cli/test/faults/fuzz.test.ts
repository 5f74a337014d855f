import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { Response } from "@bearhug/sdk";
import { ownWords } from "@bearhug/text/masked-text";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { startClient } from "../../../http/test/start-client.ts";
import { expectNothingLeft } from "./active-resources.ts";
import { bodyFor, isUntouched, mangle, manglings, type Mangling } from "./mangled-response.ts";

/** The number of examples for each transport: fewer if the parser is not ours. */
const runs = { bearhug: 150, undici: 60 };
/** The timeout of responses that may never be complete. Others get `longMs`, enough for a busy machine. */
const shortMs = 80;
const longMs = 5000;

interface ManglingServer {
  readonly url: string;
  /** By the token of a request: how its response is mangled, and the token of an unsolicited response. */
  readonly plans: Map<string, { readonly mangling: Mangling; readonly foreign: string }>;
  /** Resolves when every response that was begun has been sent. */
  readonly idle: () => Promise<void>;
}

/** Sends the pieces one by one, each in its own turn of the event loop. */
async function answer(socket: Socket, pieces: readonly Buffer[], ending: Mangling["ending"]): Promise<void> {
  for (const piece of pieces) {
    if (socket.destroyed) return;
    socket.write(piece);
    await nextTurn();
  }
  if (ending === "end") socket.end();
  if (ending === "reset") socket.resetAndDestroy();
}

async function startMangling(): Promise<ManglingServer> {
  const plans: ManglingServer["plans"] = new Map();
  const sockets = new Set<Socket>();
  const running = new Set<Promise<void>>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).once("close", () => sockets.delete(socket));
    let pending = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      pending += text;
      const token = /^GET \/(\w+) .*\r\n\r\n$/s.exec(pending)?.[1];
      const plan = token === undefined ? undefined : plans.get(token);
      if (token === undefined || plan === undefined) return;
      pending = "";
      const { mangling, foreign } = plan;
      const sending = answer(socket, mangle(token, foreign, mangling), mangling.ending);
      running.add(sending);
      void sending.finally(() => running.delete(sending));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    plans,
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

let tokens = 0;
/** Returns a token of constant length that differs from every other one by more than a flipped bit. */
function newToken(): string {
  tokens++;
  return `t${[1, 7, 31, 127].map((factor) => ((tokens * factor * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0")).join("")}`;
}

/** True if the response must arrive whole. A reset may overtake bytes that were sent before it. */
function isWhole(mangling: Mangling): boolean {
  return isUntouched(mangling) && mangling.ending !== "reset";
}

/** Expects that a response belongs to its request: not to another one, nor to one that was never made. */
function expectOwn(response: Response, token: string, foreign: string, mangling: Mangling): void {
  if (isWhole(mangling)) expect(response.error, response.error?.message).toBeNull();
  if (response.error !== null) {
    expect(response.error.code).not.toBe("REQUEST_FAILED");
    expect(response.status).toBe(0);
    return;
  }
  const text = response.text();
  if (mangling.flips.length === 0) {
    expect([response.status, response.headers.get("x-token")]).toEqual([200, token]);
    // Without a length, only the end of the connection marks the end of the body, so the body may be short.
    if (mangling.framing === "close") expect(text.startsWith(token) || token.startsWith(text)).toBe(true);
    else expect(text).toBe(bodyFor(token, mangling));
    return;
  }
  // A flipped bit may change a length, but the body still consists of bytes that were sent for this request.
  const found = `${response.headers.get("x-token") ?? ""} ${text}`.match(/t[0-9a-f]{32}/g) ?? [];
  const others = found.filter((other) => other !== token && other !== foreign && tokensKnown.has(other));
  expect(others).toEqual([]);
}

const tokensKnown = new Set<string>();

test.each(["bearhug", "undici"] as const)(
  "whatever bytes arrive over transport %s, every request settles in time, counts once, and never gets another's response",
  async (transport) => {
    expectNothingLeft();
    const server = await startMangling();
    const client = startClient(server.url, [], [], { ...defaultHttp, transport });
    let sent = 0;
    const batches = fc.array(fc.array(manglings, { minLength: 1, maxLength: 4 }), {
      minLength: 1,
      maxLength: 3,
    });
    const property = fc.asyncProperty(batches, async (planned) => {
      for (const batch of planned) {
        const requests = batch.map((mangling) => {
          const [token, foreign] = [newToken(), newToken()];
          for (const known of [token, foreign]) tokensKnown.add(known);
          server.plans.set(token, { mangling, foreign });
          return { token, foreign, mangling };
        });
        sent += requests.length;
        const began = performance.now();
        const responses = await client.http.batch(
          requests.map(({ token, mangling }) => ({
            url: `/${token}`,
            name: "fuzz",
            timeout: isWhole(mangling) ? longMs : shortMs,
          })),
        );
        expect(performance.now() - began).toBeLessThan(longMs);
        requests.forEach(({ token, foreign, mangling }, index) => {
          expectOwn(responses[index]!, token, foreign, mangling);
        });
        // No client can tell a response that comes too early from one that it has just requested.
        await server.idle();
        await sleep(4);
        server.plans.clear();
      }
    });
    await fc.assert(property, {
      numRuns: runs[transport],
      endOnFailure: true,
    });
    const counts = client.row(ownWords`fuzz`);
    expect(counts).toMatchObject({ started: sent, interrupted: 0 });
    // On a busy machine a request may time out before it is written.
    expect(counts?.sent).toBeLessThanOrEqual(sent);
    expect(counts?.started).toBe((counts?.succeeded ?? 0) + (counts?.failed ?? 0));
    expect(client.metric("http_reqs")).toMatchObject({ total: sent });
    expect(client.metric("http_req_failed")).toMatchObject({ samples: sent, trues: counts?.failed });
    expect(client.metric("http_req_duration")).toMatchObject({ count: counts?.sent });
    // There were many of both outcomes.
    expect(counts?.succeeded).toBeGreaterThan(sent / 10);
    expect(counts?.failed).toBeGreaterThan(sent / 10);
  },
);
