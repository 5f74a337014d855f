import { quotedBytes, foreignSentence, type ForeignText } from "@bearhug/text/foreign-text";

import type { ConnectFailure } from "./connect-failure.ts";
import type { Origin } from "./origin.ts";
import { proxyFailure, type Proxy } from "./proxy.ts";
import type { ProxyDialogue } from "./proxy-dialogue.ts";

/** The longest response head that is accepted, in bytes. */
const maxHeadBytes = 16 * 1024;

/** How to open a tunnel through an HTTP proxy (RFC 9110, section 9.3.6). */
export function httpDialogue(origin: Origin, proxy: Proxy): ProxyDialogue {
  return {
    greeting: connectHead(origin, proxy),
    readReply: (received) => {
      const response = readResponse(received.toString("latin1"));
      if (response === null) return null;
      return failureOf(response, proxy) ?? { used: response.end, message: null };
    },
    closed: (received) => {
      const head = received.toString("latin1");
      const when = head === "" ? "" : foreignSentence` after ${quotedBytes(head)}`;
      return proxyFailure(proxy, foreignSentence`closed the connection${when}`);
    },
  };
}

function connectHead({ host, port }: Origin, { authorization }: Proxy): string {
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const credentials = authorization === null ? "" : `proxy-authorization: ${authorization}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${credentials}\r\n`;
}

interface ProxyResponse {
  /** Null if the bytes are not a response. */
  readonly status: number | null;
  /** The end of a sentence: the quoted status line, or what is wrong. */
  readonly description: ForeignText;
  /** The index of the first byte after the head. */
  readonly end: number;
}

const statusLine = /^HTTP\/1\.[01] (\d{3})(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const headerLine = /^[!#$%&'*+.^_`|~\dA-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/;

/** Reads the proxy's response; null while it is incomplete. Skips interim responses. */
function readResponse(text: string): ProxyResponse | null {
  let start = 0;
  for (;;) {
    const head = text.slice(start);
    const invalid = (description: ForeignText): ProxyResponse => ({
      status: null,
      description,
      end: text.length,
    });
    // If it is not HTTP, there is no need to wait for the end of a head.
    if (!head.startsWith("HTTP/1.".slice(0, head.length)))
      return invalid(foreignSentence`with ${quotedBytes(head)}, which is not HTTP`);
    const length = head.indexOf("\r\n\r\n");
    const end = start + length + 4;
    if (Math.max(end, length < 0 ? text.length : 0) > maxHeadBytes) {
      return invalid(foreignSentence`with more than ${maxHeadBytes} bytes of headers`);
    }
    if (length < 0) return null;
    const [line = "", ...headers] = head.slice(0, length).split("\r\n");
    const status = Number(statusLine.exec(line)?.[1]);
    const malformed =
      status >= 100 && status !== 101 ? headers.find((header) => !headerLine.test(header)) : line;
    if (malformed !== undefined)
      return invalid(foreignSentence`with ${quotedBytes(malformed)}, which is not HTTP`);
    if (status >= 200) return { status, description: foreignSentence`with ${quotedBytes(line)}`, end };
    start = end;
  }
}

function failureOf({ status, description }: ProxyResponse, proxy: Proxy): ConnectFailure | null {
  if (status !== null && status >= 200 && status <= 299) return null;
  return proxyFailure(proxy, foreignSentence`answered CONNECT ${description}`, status);
}
