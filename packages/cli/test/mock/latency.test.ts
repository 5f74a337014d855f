import { get } from "node:http";
import { describe, expect, test } from "vitest";
import { startMock } from "../../src/mock/start-mock.ts";
import { captureOf, type WrittenEntry } from "./capture-of.ts";
import { withMock } from "./with-mock.ts";

interface Seen {
  readonly headMs: number;
  readonly endMs: number;
  readonly pieces: number;
  readonly bytes: number;
}

/** Sends a request with Node's own client, on a kept connection, and times the response. */
async function time(url: string, method = "GET"): Promise<Seen> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { method }, (response) => {
      const headMs = performance.now() - start;
      let [pieces, bytes] = [0, 0];
      response.on("data", (chunk: Buffer) => {
        pieces++;
        bytes += chunk.length;
      });
      response.on("end", () => {
        resolve({ headMs, endMs: performance.now() - start, pieces, bytes });
      });
    }).on("error", reject);
  });
}

async function timed(entry: WrittenEntry, method = "GET", latency = true): Promise<Seen> {
  const mock = await startMock(captureOf([{ method, ...entry }]), { latency });
  try {
    await time(`${mock.url}/warm-up`);
    return await time(mock.url, method);
  } finally {
    await mock.close();
  }
}

/** Checks that nothing came early. A busy machine may make it up to a second late. */
function expectTimes(seen: Seen, firstByteMs: number, endMs: number): void {
  expect(seen.headMs).toBeGreaterThanOrEqual(firstByteMs - 1);
  expect(seen.endMs).toBeGreaterThanOrEqual(endMs - 1);
  expect(seen.endMs).toBeLessThan(endMs + 1000);
}

const timings = { blockedMs: 5000, dnsMs: 20, connectMs: 30, sendMs: 10, waitMs: 90, receiveMs: 200 };

describe("with --latency", () => {
  test("the first byte comes after the DNS, connect, send and wait times, and the last after the receive time", async () => {
    const seen = await timed({ timings, response: { body: null, bodyBytes: 50_000 } });
    expectTimes(seen, 150, 350);
    expect(seen.headMs).toBeLessThan(340);
    expect(seen.bytes).toBe(50_000);
    expect(seen.pieces).toBeGreaterThan(2);
  });

  test.each([
    ["of two bytes", { body: { text: "ab" } }, 2],
    ["of one byte", { body: { text: "a" } }, 1],
  ])("a body %s arrives whole and on time", async (_what, response, bytes) => {
    const seen = await timed({ timings, response });
    expectTimes(seen, 150, 350);
    expect(seen.bytes).toBe(bytes);
  });

  test.each([
    ["which is empty", "GET", { body: null, bodyBytes: 0 }],
    ["with status 304", "GET", { status: 304 }],
    ["to a HEAD request", "HEAD", {}],
    ["which was never recorded", "GET", null],
  ])(
    "a response without a body, %s, comes when the recorded one was complete",
    async (_what, method, response) => {
      expectTimes(await timed({ timings, response }, method), 350, 350);
    },
  );

  test("requests do not wait for each other", async () => {
    const capture = captureOf([{ timings: { waitMs: 300 } }]);
    await withMock(
      capture,
      async (mock) => {
        const start = performance.now();
        await Promise.all(Array.from({ length: 10 }, () => time(mock.url)));
        expect(performance.now() - start).toBeLessThan(2000);
      },
      { latency: true },
    );
  });

  test("no request is left waiting after its client goes away or the mock closes", async () => {
    const mock = await startMock(captureOf([{ timings: { waitMs: 3_600_000 } }]), { latency: true });
    const haveArrived = async (requests: number): Promise<void> => {
      while (mock.stats().total < requests) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const leaving = new AbortController();
    const gone = expect(fetch(mock.url, { signal: leaving.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    await haveArrived(1);
    leaving.abort();
    await gone;
    const closed = expect(fetch(mock.url)).rejects.toThrow();
    await haveArrived(2);
    await mock.close();
    await closed;
  });
});

test("without --latency responses come at once", async () => {
  const hour = { ...timings, waitMs: 3_600_000, receiveMs: 3_600_000 };
  expect((await timed({ timings: hour }, "GET", false)).endMs).toBeLessThan(10_000);
});
