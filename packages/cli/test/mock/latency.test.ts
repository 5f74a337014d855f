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

/** Asks by plain Node, on a connection that is open, and times what comes. */
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

/** Never too early; how late is the machine's to say, within reason. */
function expectTimes(seen: Seen, firstByteMs: number, endMs: number): void {
  expect(seen.headMs).toBeGreaterThanOrEqual(firstByteMs - 1);
  expect(seen.endMs).toBeGreaterThanOrEqual(endMs - 1);
  expect(seen.endMs).toBeLessThan(endMs + 1000);
}

const timings = { blockedMs: 5000, dnsMs: 20, connectMs: 30, sendMs: 10, waitMs: 90, receiveMs: 200 };

describe("with --latency", () => {
  test("the first byte comes after look-up, connection, sending and waiting, the last after the receive", async () => {
    const seen = await timed({ timings, response: { body: null, bodyBytes: 50_000 } });
    expectTimes(seen, 150, 350);
    expect(seen.headMs).toBeLessThan(340);
    expect(seen.bytes).toBe(50_000);
    expect(seen.pieces).toBeGreaterThan(2);
  });

  test.each([
    ["of two bytes", { body: { text: "ab" } }, 2],
    ["of one byte", { body: { text: "a" } }, 1],
  ])("a body %s ends in time, whole", async (_what, response, bytes) => {
    const seen = await timed({ timings, response });
    expectTimes(seen, 150, 350);
    expect(seen.bytes).toBe(bytes);
  });

  test.each([
    ["an empty one", "GET", { body: null, bodyBytes: 0 }],
    ["a 304", "GET", { status: 304 }],
    ["a HEAD's", "HEAD", {}],
    ["none that was recorded", "GET", null],
  ])(
    "an answer without a body, %s, comes when the recorded one was complete",
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

  test("a client that goes away, and a mock that is closed, leave nothing waiting", async () => {
    const mock = await startMock(captureOf([{ timings: { waitMs: 3_600_000 } }]), { latency: true });
    const hasCome = async (requests: number): Promise<void> => {
      while (mock.stats().total < requests) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const leaving = new AbortController();
    const gone = expect(fetch(mock.url, { signal: leaving.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    await hasCome(1);
    leaving.abort();
    await gone;
    const closed = expect(fetch(mock.url)).rejects.toThrow();
    await hasCome(2);
    await mock.close();
    await closed;
  });
});

test("without it answers come at once", async () => {
  const hour = { ...timings, waitMs: 3_600_000, receiveMs: 3_600_000 };
  expect((await timed({ timings: hour }, "GET", false)).endMs).toBeLessThan(10_000);
});
