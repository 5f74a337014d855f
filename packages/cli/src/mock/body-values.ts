import type { EntryRequest } from "@bearhug/har-import";
import { readQuery } from "./query-values.ts";

/** A request's body, as far as it tells one of two alike requests from the other. */
export interface BodyValues {
  readonly text: string;
  /** Fields of a form, and values of JSON by their paths, as `name=value`. */
  readonly pairs: readonly string[];
}

/** Bodies may be of any size, and their values of any number: past so many they tell nothing new. */
const maxPairs = 2000;

/** null where there is none. GETs have none, whatever some browsers write down for them. */
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
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return [];
  }
  const pairs: string[] = [];
  const left: (readonly [path: string, value: unknown])[] = [["", root]];
  for (let next = left.pop(); next !== undefined && pairs.length < maxPairs; next = left.pop()) {
    const [path, value] = next;
    if (typeof value !== "object" || value === null) pairs.push(`${path}=${String(value)}`);
    else for (const [key, inner] of Object.entries(value)) left.push([`${path}/${key}`, inner]);
  }
  return pairs;
}
