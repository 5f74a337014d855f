import { quotedBytes, foreignSentence } from "@bearhug/text/foreign-text";

import { TransportFailure } from "../failures/transport-failure.ts";

/** Creates the failure for a response that breaks the protocol, with the reason and a printable quote. */
export function malformed(reason: string, text: string): TransportFailure {
  return new TransportFailure({
    kind: "malformed",
    reason: foreignSentence`${reason}; it began ${quotedBytes(text)}`,
  });
}

/** Creates the failure for the first violation in a head or its beginning. Called only if there is one. */
export function malformedHead(text: string): TransportFailure {
  return malformed(whyNotWellFormed(text), text);
}

function whyNotWellFormed(text: string): string {
  const statusLine = /^[^\n]*/.exec(text)?.[0] ?? "";
  if (isSettingsFrame(text)) return 'a frame of HTTP/2, not HTTP/1.1 (protocol: "h2c")';
  if (!text.startsWith("HTTP/")) return "no HTTP status line";
  if (text.includes("\0")) return "a NUL byte in the head";
  if (/[^\r]\n/.test(text)) return "a line that ends in a bare line feed";
  if (/\r(?!\n)/.test(text)) return "a carriage return within a line";
  if (!/^HTTP\/1\.[01] /.test(text)) return "another version than HTTP/1.0 or HTTP/1.1";
  if (!/^HTTP\/1\.[01] [1-9]\d\d(?: |\r$)/.test(statusLine))
    return "a status that is not a number from 100 to 999";
  if (/\n[ \t]/.test(text)) return "a folded header line";
  if (/[^\t\n\r -~\x80-\xff]/.test(text)) return "a control character in the head";
  return "a header line that is not a name, a colon and a value";
}

/** Detects an HTTP/2 server's first frame: < 64 KiB, type 4, stream 0 (RFC 9113, sections 4.1 and 6.5). */
function isSettingsFrame(text: string): boolean {
  return text.startsWith("\0") && text[3] === "\x04" && text.slice(5, 9) === "\0\0\0\0";
}
