// Captures of any size, for measurements.
import { closeSync, openSync, writeSync } from "node:fs";

import { smallEntry } from "../packages/cli/test/import/small-entry.ts";

/** The sizes of a document, scripts and styles, a call, and images. */
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

/**
 * Writes a capture with the usual mix of a site, of at least this many bytes. Returns the size of its biggest
 * entry.
 */
export function writeUsualCapture(path: string, bytes: number, largeBody = 0): number {
  return writeCapture(path, (index) => {
    const isLarge = largeBody > 0 && index === 50;
    const entry = entryOf(index, isLarge ? largeBody : (bodySizes[index % bodySizes.length] ?? 0));
    return { entry, isLast: (written) => written >= bytes };
  });
}

/** Writes a capture of this many entries, which are as small as possible. */
export function writeSmallEntries(path: string, entries: number): void {
  writeCapture(path, (index) => ({
    entry: smallEntry(index, index % 400),
    isLast: () => index === entries - 1,
  }));
}

/** Writes a capture, entry by entry, up to the last one. Returns the size of the biggest. */
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

/** Returns an entry of a page with scripts, images, and calls whose responses later calls use. */
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

/** Returns headers like those of browsers and servers: most are the same every time. */
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
