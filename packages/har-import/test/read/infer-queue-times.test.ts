import { expect, test } from "vitest";
import { entryOf, harOf, read } from "../har-file.ts";

interface Picture {
  readonly atMs?: number;
  readonly tookMs: number;
  readonly blockedMs?: number;
}

/** Returns how long each request waited for a connection and for its response, as read from a capture. */
async function waitsOf(pictures: readonly Picture[], httpVersion = "HTTP/1.1"): Promise<[number, number][]> {
  const { entries } = await read(
    harOf(
      pictures.map(({ atMs = 0, tookMs, blockedMs = -1 }, index) =>
        entryOf(`https://shop.test/${String(index)}.png`, {
          startedDateTime: new Date(Date.UTC(2026, 0, 1) + atMs).toISOString(),
          time: tookMs,
          timings: { blocked: blockedMs, send: 0, wait: tookMs - Math.max(0, blockedMs) - 10, receive: 10 },
          request: { httpVersion },
          response: { httpVersion },
        }),
      ),
    ),
  );
  return entries.map(({ timings }) => [timings.blockedMs, timings.waitMs]);
}

const six = Array.from({ length: 6 }, (): Picture => ({ tookMs: 100 }));

test("the seventh simultaneous request to an HTTP/1 host waits for a connection", async () => {
  const waits = await waitsOf([...six, { tookMs: 250 }, { atMs: 150, tookMs: 100 }]);
  expect(waits).toEqual([...six.map(() => [0, 90]), [100, 140], [0, 90]]);
});

test("the thirteenth simultaneous request waits until a connection has been free twice", async () => {
  const more = six.map(() => ({ tookMs: 250 }));
  expect((await waitsOf([...six, ...more, { tookMs: 300 }])).at(-1)).toEqual([250, 40]);
});

test("a wait that the recorder reports is kept", async () => {
  expect((await waitsOf([...six, { tookMs: 250, blockedMs: 100 }])).at(-1)).toEqual([100, 140]);
});

test.each(["HTTP/2", "h3", ""])(
  "with the HTTP version %j no request waits for a connection",
  async (version) => {
    expect((await waitsOf([...six, { tookMs: 250 }], version)).at(-1)).toEqual([0, 240]);
  },
);

test("a request that ended before any connection was free did not wait for one", async () => {
  expect((await waitsOf([...six, { tookMs: 90 }])).at(-1)).toEqual([0, 80]);
});
