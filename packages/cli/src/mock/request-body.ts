import type { IncomingMessage } from "node:http";

import type { EntryRequest } from "@bearhug/har-import";
import { tryJson } from "@bearhug/text/try-json";

import { readQuery } from "./query-values.ts";

/** The parts of a request's body that distinguish similar requests. */
export interface BodyValues {
  readonly text: string;
  /** Fields of a form, and values of JSON by their paths, as `name=value`. */
  readonly pairs: readonly string[];
}

/** Limits the values to compare; these suffice to distinguish bodies. */
const maxPairs = 2000;

/**
 * Reads the body of a recorded request; null if there is none. GET and HEAD have none, even if a browser
 * recorded one.
 */
export function recordedBody({ method, postData }: EntryRequest): BodyValues | null {
  if (postData === null || /^(?:GET|HEAD)$/i.test(method)) return null;
  const { text, isBase64, params, mimeType } = postData;
  if (text === "") {
    const pairs = params.map(({ name, value }) => `${name}=${value}`);
    return pairs.length === 0 ? null : { text, pairs };
  }
  return readBody(isBase64 ? Buffer.from(text, "base64").toString() : text, mimeType);
}

export function readBody(text: string, contentType: string): BodyValues {
  if (/json/i.test(contentType)) return { text, pairs: jsonPairs(text) };
  return { text, pairs: /urlencoded/i.test(contentType) ? readQuery(text).pairs : [] };
}

function jsonPairs(text: string): string[] {
  const root = tryJson(text);
  if (root === undefined) return [];
  const pairs: string[] = [];
  const left: (readonly [path: string, value: unknown])[] = [["", root]];
  for (let next = left.pop(); next !== undefined && pairs.length < maxPairs; next = left.pop()) {
    const [path, value] = next;
    if (typeof value !== "object" || value === null) pairs.push(`${path}=${String(value)}`);
    else for (const [key, inner] of Object.entries(value)) left.push([`${path}/${key}`, inner]);
  }
  return pairs;
}

/** Larger bodies are not compared. */
const maxComparedBytes = 1024 * 1024;

/** True if a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

/**
 * Waits for the end of a request's body. Passes its text on if `isNeeded` and the text is small enough to
 * compare, otherwise null.
 */
export function receiveBody(
  request: IncomingMessage,
  isNeeded: boolean,
  received: (text: string | null) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (isNeeded && bytes <= maxComparedBytes) chunks.push(chunk);
    else chunks.length = 0;
  });
  request.once("end", () =>
    received(isNeeded && bytes <= maxComparedBytes ? Buffer.concat(chunks).toString() : null),
  );
}
