// What does a large capture cost to import? Two of 100 MB: one of some thousand entries, and one that has an entry of 30 MB
// among them. Each is to take less than 10 s, and the whole process less memory than three times the biggest entry and
// 200 MB. `node bench/import-capture.ts 1200` makes them of 1,200 MB, and allows twelve times as long. And one of 100,000
// small entries (55 MB): less than 15 s and 400 MB.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const wantedSPer100Mb = 10;
const smallEntries = 100_000;
const [megabytes = 100] = process.argv.slice(2).map(Number);
const launcher = fileURLToPath(new URL("../packages/cli/bin/bearhug.js", import.meta.url));

/** Runs in the importer's process, and writes down at its end how much memory it had. */
const noteMemory =
  'import { writeFileSync } from "node:fs"; const { BENCH_MEMORY } = process.env;' +
  'process.on("exit", () => { const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();' +
  "writeFileSync(BENCH_MEMORY, `${maxRSS / 1000} ${(userCPUTime + systemCPUTime) / 1e6}`); });";

/** A document, scripts and styles, a call, images. */
const bodySizes = [60_000, 120_000, 30_000, 2_000, 4_000, 9_000, 40_000, 700, 300, 15_000];
const mimeTypes = [
  "text/html",
  "text/javascript",
  "text/css",
  "application/json",
  "application/json",
  "image/png",
];

const sentNames = [
  "if-none-match",
  "referer",
  "accept",
  "accept-encoding",
  "accept-language",
  "user-agent",
  "connection",
  "sec-ch-ua",
  "sec-ch-ua-mobile",
  "sec-ch-ua-platform",
  "sec-fetch-dest",
  "sec-fetch-mode",
  "sec-fetch-site",
];
const receivedNames = [
  "etag",
  "date",
  "server",
  "cache-control",
  "vary",
  "content-encoding",
  "strict-transport-security",
  "x-frame-options",
  "referrer-policy",
  "content-security-policy",
  "alt-svc",
  "via",
  "x-cache",
];

const folder = mkdtempSync(join(tmpdir(), "bearhug-bench-import-"));
try {
  const isWell = [
    measureLarge("a usual mix", 0),
    measureLarge("one entry of 30 MB", 25_000_000),
    measureSmall(),
  ];
  process.exitCode = isWell.every(Boolean) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true });
}

function measureLarge(what: string, largeBody: number): boolean {
  const path = join(folder, "capture.har");
  const biggest = writeCapture(path, (index) => {
    const isLarge = largeBody > 0 && index === 50;
    const entry = entryOf(index, isLarge ? largeBody : (bodySizes[index % bodySizes.length] ?? 0));
    return { entry, isLast: (written) => written >= megabytes * 1e6 };
  });
  return measure(what, path, {
    seconds: (wantedSPer100Mb * megabytes) / 100,
    megabytes: (3 * biggest) / 1e6 + 200,
  });
}

function measureSmall(): boolean {
  const path = join(folder, "capture.har");
  writeCapture(path, (index) => ({
    entry: smallEntryOf(index),
    isLast: () => index === smallEntries - 1,
  }));
  return measure("100,000 small entries", path, { seconds: 15, megabytes: 400 });
}

/** Imports a capture in a process of its own; whether it kept to what is wanted. */
function measure(
  what: string,
  path: string,
  wanted: { readonly seconds: number; readonly megabytes: number },
): boolean {
  const memory = join(folder, "memory.txt");
  const command = ["import", path, "--force", "-o", join(folder, "capture.ts")];
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(noteMemory)}`, launcher, ...command],
    { encoding: "utf8", env: { ...process.env, BENCH_MEMORY: memory } },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  if (status !== 0) throw new Error(stderr);
  const [peakMb = 0, cpuS = 0] = readFileSync(memory, "utf8")
    .split(" ")
    .map((figure) => Number(figure));
  const sizeMb = statSync(path).size / 1e6;
  console.log(
    `${what}: ${sizeMb.toFixed(0)} MB in ${seconds.toFixed(1)} s (${wanted.seconds.toFixed(0)} wanted; ${cpuS.toFixed(1)} s of CPU), ` +
      `with at most ${peakMb.toFixed(0)} MB of memory (${wanted.megabytes.toFixed(0)} wanted)`,
  );
  return seconds < wanted.seconds && peakMb < wanted.megabytes;
}

/** Writes a capture, entry by entry, up to the one that is the last; the size of the biggest. */
function writeCapture(
  path: string,
  next: (index: number) => { readonly entry: object; readonly isLast: (written: number) => boolean },
): number {
  const file = openSync(path, "w");
  let written = 0;
  let biggest = 0;
  const write = (text: string): void => {
    written += writeSync(file, text);
  };
  write('{"log":{"version":"1.2","creator":{"name":"bench","version":"1"},"pages":[],"entries":[');
  for (let index = 0, isEnd = false; !isEnd; index++) {
    const { entry, isLast } = next(index);
    const text = JSON.stringify(entry);
    biggest = Math.max(biggest, Buffer.byteLength(text));
    write(`${index === 0 ? "" : ","}${text}`);
    isEnd = isLast(written);
  }
  write("]}}");
  closeSync(file);
  return biggest;
}

/** One of many: its address, its status, and an answer of a line. */
function smallEntryOf(index: number): object {
  return {
    pageref: `page_${Math.floor(index / 10)}`,
    startedDateTime: new Date(Date.UTC(2026, 0, 1) + index * 40).toISOString(),
    time: 35,
    timings: { blocked: 1, dns: -1, connect: -1, ssl: -1, send: 1, wait: 30, receive: 3 },
    request: {
      method: "GET",
      url: `https://shop.example/part/${index % 10}/item-${index % 400}`,
      httpVersion: "h2",
      headers: [{ name: "accept", value: "*/*" }],
      cookies: [],
      queryString: [],
    },
    response: {
      status: 200,
      httpVersion: "h2",
      cookies: [],
      redirectURL: "",
      headers: [{ name: "content-type", value: "text/html" }],
      content: { size: 12, mimeType: "text/html", text: "<p>hello</p>" },
    },
  };
}

/** Pages, each with scripts, images, and calls whose answers later calls use. */
function entryOf(index: number, bodySize: number): object {
  const mimeType = mimeTypes[index % bodySizes.length] ?? "image/webp";
  const page = Math.floor(index / bodySizes.length);
  const sent = headersOf(sentNames, index);
  const received = headersOf(receivedNames, index);
  return {
    pageref: `page_${page}`,
    startedDateTime: new Date(Date.UTC(2026, 0, 1) + index * 40).toISOString(),
    time: 35,
    request: {
      method: "GET",
      url: `https://shop.example/part/${index % bodySizes.length}/item-${index % 400}?token=${tokenOf(page)}`,
      httpVersion: "h2",
      headers: sent,
      cookies: [],
      queryString: [],
    },
    response: {
      status: 200,
      httpVersion: "h2",
      headers: [...received, { name: "content-type", value: mimeType }],
      cookies: [],
      content: { size: bodySize, mimeType, ...contentOf(mimeType, bodySize, page) },
      redirectURL: "",
    },
    timings: { blocked: 1, dns: -1, connect: -1, ssl: -1, send: 1, wait: 30, receive: 3 },
  };
}

/** As browsers send and servers answer: most are the same every time. */
function headersOf(
  names: readonly string[],
  index: number,
): { readonly name: string; readonly value: string }[] {
  return names.map((name, nth) => ({
    name,
    value: nth < 2 ? `"${name} ${index}"` : `${name} ${"words ".repeat(6)}`,
  }));
}

function contentOf(
  mimeType: string,
  size: number,
  page: number,
): { readonly text: string; readonly encoding?: string } {
  if (mimeType.startsWith("image/"))
    return { text: Buffer.alloc(size, page % 251).toString("base64"), encoding: "base64" };
  const next = `token:"${tokenOf(page + 1)}"`;
  if (mimeType === "application/json")
    return { text: JSON.stringify({ next, rows: "r\n".repeat(size / 3) }) };
  return { text: `<html>${next}${'<p class="row">–\n</p>'.repeat(size / 22)}</html>` };
}

function tokenOf(page: number): string {
  return (page * 2_654_435_761).toString(16).padStart(24, "0");
}
