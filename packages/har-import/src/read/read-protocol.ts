import type { CaptureEntry, Header } from "../capture.ts";

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
