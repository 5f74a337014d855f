import { z } from "@bearhug/sdk/internal";
import type { CaptureEntry, Header } from "../capture.ts";

const headerSchema = z.compile(
  z.object({
    name: z.string(),
    value: z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]),
  }),
);

/**
 * Reads headers from a list of any values. Splits repeated headers, which Chrome joins by line breaks.
 *
 * @param known Headers read before.
 */
export function readHeaders(list: readonly unknown[], known: KnownHeaders): Header[] {
  const headers = list.flatMap((raw) => {
    const header = headerSchema.safeParse(raw);
    if (!header.success) return [];
    const name = header.data.name.trim();
    return header.data.value.split(/\r\n|\n|\r/).map((line) => known.intern([name, line.trim()]));
  });
  // A copy has no spare capacity; a list that grew has room for 17 items, in each of 100,000 entries.
  return [...headers];
}

/** Longer headers, and those that come after this many, seldom repeat. */
const maxLength = 500;
const maxKnown = 20_000;

/**
 * Shares one copy of equal headers: most headers of a capture repeat, and in a large one they take most of
 * the memory.
 */
export class KnownHeaders {
  readonly #known = new Map<string, Header>();

  intern(header: Header): Header {
    const [name, value] = header;
    if (name.length + value.length > maxLength) return header;
    // No name has a line break in it.
    const text = `${name}\n${value}`;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size < maxKnown) this.#known.set(text, header);
    return header;
  }
}

/** Any spelling that names QUIC counts: `http/2.0+quic/46` ran on it, too. */
const http3 = /^(?:h3\b|http\/3|3(?:\.0)?$)|quic/;
const http2 = /^(?:h2c?\b|http\/2|2(?:\.0)?$|spdy)/;
const http1 = /^(?:http\/)?[01](?:\.\d)?$/;

/** Returns the HTTP version, from the first of the recorder's spellings that states one. */
export function readProtocol(
  spellings: readonly string[],
  requestHeaders: readonly Header[],
): CaptureEntry["protocol"] {
  for (const spelling of spellings) {
    const written = spelling.trim().toLowerCase();
    if (http3.test(written)) return "http/3";
    if (http2.test(written)) return "http/2";
    if (http1.test(written)) return "http/1";
  }
  // Pseudo-headers mean HTTP/2: HTTP/3 has them, too, but a recorder that writes them also writes that
  // version.
  return requestHeaders.some(([name]) => name.startsWith(":")) ? "http/2" : "";
}
