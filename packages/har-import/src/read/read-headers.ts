import { z } from "@bearhug/sdk/internal";
import type { CaptureEntry, Header } from "../capture.ts";

const headerSchema = z.compile(
  z.object({
    name: z.string(),
    value: z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]),
  }),
);

/**
 * Headers of a list in which anything may stand. Chrome joins repeated headers by line breaks: they are parted.
 *
 * @param known Those that were read before.
 */
export function readHeaders(list: readonly unknown[], known: KnownHeaders): Header[] {
  const headers = list.flatMap((raw) => {
    const header = headerSchema.safeParse(raw);
    if (!header.success) return [];
    const name = header.data.name.trim();
    return header.data.value.split(/\r\n|\n|\r/).map((line) => known.one([name, line.trim()]));
  });
  // A copy is as long as it is; what grew has room for 17, in each of 100,000 entries.
  return [...headers];
}

/** A header that is longer, or comes when so many are known, is seldom one of several. */
const maxLength = 500;
const maxKnown = 20_000;

/** Makes one of headers that are alike: most of a capture are, and of a large one they are most of what is kept. */
export class KnownHeaders {
  readonly #known = new Map<string, Header>();

  one(header: Header): Header {
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

/** QUIC wherever it is named, for `http/2.0+quic/46` ran on it, too. */
const http3 = /^(?:h3\b|http\/3|3(?:\.0)?$)|quic/;
const http2 = /^(?:h2c?\b|http\/2|2(?:\.0)?$|spdy)/;
const http1 = /^(?:http\/)?[01](?:\.\d)?$/;

/** HTTP's version of the spellings that recorders have; the first that says one. */
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
  // Pseudo headers came with HTTP/2; HTTP/3 has them, too, but who wrote so much wrote its version.
  return requestHeaders.some(([name]) => name.startsWith(":")) ? "http/2" : "";
}
