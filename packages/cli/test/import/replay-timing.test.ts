import { describe, expect, test } from "vitest";

import { describeAttempts, measureUntilQuiet } from "./attempts.ts";
import { pagesBeyond } from "./pages-beyond.ts";
import { medianPageTimes, replayCapture, type SeenRequest } from "./replay-capture.ts";
import { recordedPageTimes, writeTimedCapture, type TimedRequest } from "./timed-capture.ts";

const samples = 3;

interface Load {
  readonly what: string;
  readonly requests: readonly TimedRequest[];
  /**
   * One visitor's requests: a wave starts once all requests before it have ended, except the outlasting ones.
   */
  readonly waves: readonly (readonly string[])[];
  readonly outlasting?: readonly string[];
}

const home: TimedRequest = { url: "/", atMs: 0, connectMs: 30, waitMs: 80, receiveMs: 10, type: "document" };
const numbered = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const pictures = (count: number, base = ""): string[] =>
  numbered(count).map((index) => `${base}/${index}.png`);

const loads: readonly Load[] = [
  {
    what: "a document, its files, and the requests of its script",
    requests: [
      home,
      { url: "/a.css", atMs: 130, waitMs: 90, receiveMs: 10, type: "stylesheet", initiator: "/" },
      { url: "/b.js", atMs: 130, waitMs: 190, receiveMs: 30, type: "script", initiator: "/" },
      { url: "/api/cart", atMs: 355, waitMs: 140, type: "xhr", initiator: "/b.js" },
      { url: "/api/items", atMs: 500, waitMs: 100, receiveMs: 50, type: "xhr", initiator: "/b.js" },
    ],
    waves: [["/"], ["/a.css", "/b.js"], ["/api/cart"], ["/api/items"]],
  },
  {
    what: "more images than connections, so that some wait for a connection (HTTP/1.1)",
    requests: [
      home,
      ...pictures(14).map((url, index) => ({
        url,
        atMs: 130,
        blockedMs: 150 * Math.floor(index / 6),
        waitMs: 100,
        receiveMs: 50,
      })),
    ],
    waves: [["/"], pictures(14)],
  },
  {
    what: "more images than connections, with the recorder counting the queue as waiting for a response",
    requests: [
      home,
      ...pictures(14).map((url, index) => ({ url, atMs: 130, waitMs: 100 + 150 * Math.floor(index / 6) })),
    ],
    waves: [["/"], pictures(14)],
  },
  {
    what: "images that start when connections become free (HTTP/1.1)",
    requests: [
      home,
      ...pictures(16).map((url, index) => ({ url, atMs: 130 + 160 * Math.floor(index / 6), waitMs: 150 })),
    ],
    waves: [["/"], pictures(16)],
  },
  {
    what: "many images at once on one connection (HTTP/2)",
    requests: [
      { ...home, protocol: "h2" },
      ...pictures(24).map((url) => ({ url, atMs: 130, waitMs: 250, receiveMs: 50, protocol: "h2" as const })),
    ],
    waves: [["/"], pictures(24)],
  },
  {
    what: "images from two hosts, each with its own connections",
    requests: [
      home,
      ...[...pictures(6), ...pictures(6, "https://img.shop.test/s")].map((url) => ({
        url,
        atMs: 130,
        waitMs: 300,
      })),
    ],
    waves: [["/"], [...pictures(6), ...pictures(6, "/s")]],
  },
  {
    what: "an image that takes longer than the rest of the page",
    requests: [
      home,
      { url: "/slow.png", atMs: 130, waitMs: 500, receiveMs: 400 },
      { url: "/b.js", atMs: 130, waitMs: 100, type: "script", initiator: "/" },
      { url: "/api/cart", atMs: 235, waitMs: 150, type: "xhr", initiator: "/b.js" },
      { url: "/api/items", atMs: 390, waitMs: 150, type: "xhr", initiator: "/b.js" },
    ],
    waves: [["/"], ["/slow.png", "/b.js"], ["/api/cart"], ["/api/items"]],
    outlasting: ["/slow.png"],
  },
  {
    what: "a browser that is slow between a response and the requests that follow from it",
    requests: [
      home,
      { url: "/b.js", atMs: 200, waitMs: 100, type: "script", initiator: "/" },
      { url: "/api/cart", atMs: 600, waitMs: 150, type: "xhr", initiator: "/b.js" },
    ],
    waves: [["/"], ["/b.js"], ["/api/cart"]],
  },
  {
    what: "a page behind a redirect, and another after a think time",
    requests: [
      { url: "/old", atMs: 0, waitMs: 120, type: "document", status: 302, location: "/new", page: "new" },
      { url: "/new", atMs: 120, waitMs: 150, type: "document", page: "new" },
      { url: "/a.css", atMs: 280, waitMs: 100, type: "stylesheet", initiator: "/new", page: "new" },
      { url: "/next", atMs: 700, waitMs: 250, type: "document", page: "next" },
      { url: "/c.css", atMs: 960, waitMs: 100, type: "stylesheet", initiator: "/next", page: "next" },
    ],
    waves: [["/old"], ["/new"], ["/a.css"], ["/next"], ["/c.css"]],
  },
];

describe("a replay makes the same requests in the same waves, and its pages take as long as recorded:", () => {
  test.for(loads)("$what", async ({ requests, waves, outlasting = [] }) => {
    const path = writeTimedCapture(requests);
    const attempts = await measureUntilQuiet(async () => {
      const replay = await replayCapture(path, samples);
      expect(replay.exitCode === 0 || replay.exitCode === 99, replay.stdout + replay.stderr).toBe(true);
      expect(replay.result.checks.every(({ fails }) => fails === 0)).toBe(true);
      expectWaves(replay.seen, waves, outlasting);
      return pagesBeyond(recordedPageTimes(requests), medianPageTimes(replay));
    });
    expect(attempts.at(-1)?.problems, describeAttempts(attempts)).toEqual([]);
  });
});

/**
 * Expects every visit to request each path once, wave by wave, each wave after the responses of those before.
 */
function expectWaves(
  seen: readonly SeenRequest[],
  waves: readonly (readonly string[])[],
  outlasting: readonly string[],
): void {
  const paths = waves.flat();
  expect(seen).toHaveLength(paths.length * samples);
  for (let visit = 0; visit < samples; visit++) {
    const own = seen.slice(visit * paths.length, (visit + 1) * paths.length);
    const asked = own.map(({ line }) => line.slice("GET ".length));
    let from = 0;
    for (const wave of waves) {
      const to = from + wave.length;
      expect(asked.slice(from, to).toSorted()).toEqual(wave.toSorted());
      const startMs = own[from]?.startMs ?? Number.NaN;
      const before = own.slice(0, from).filter(({ line }) => !outlasting.includes(line.slice("GET ".length)));
      for (const { line, endMs } of before) expect(endMs, line).toBeLessThanOrEqual(startMs);
      from = to;
    }
  }
}
