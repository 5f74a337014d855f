import type { Socket } from "node:net";

import { quotedBytes, told, type ForeignText } from "@bearhug/text/foreign-text";

import type { ConnectFailure } from "./connect-failure.ts";
import type { Origin } from "./origin.ts";
import { proxyFailure, type Proxy } from "./proxy.ts";

/** The longest head of an answer that is accepted, in bytes. */
const maxHeadBytes = 16 * 1024;

/** Asks a proxy for a tunnel (RFC 9110, section 9.3.6). `done` is called later, once, unless the function that is returned gives it up. */
export function openTunnel(
  socket: Socket,
  origin: Origin,
  proxy: Proxy,
  done: (error: Error | null) => void,
): () => void {
  let head = "";
  const stop = (): void => {
    socket.off("data", read).off("end", end).off("error", fail).off("close", end);
  };
  const fail = (error: Error): void => {
    stop();
    socket.destroy();
    done(error);
  };
  const end = (): void =>
    fail(
      proxyFailure(
        proxy,
        head === "" ? "closed the connection" : told`closed the connection after ${quotedBytes(head)}`,
      ),
    );
  const read = (chunk: Buffer): void => {
    const seen = head.length;
    head += chunk.toString("latin1");
    const answer = readAnswer(head);
    if (answer === null) return;
    const failure = failureOf(answer, proxy);
    if (failure !== null) {
      fail(failure);
      return;
    }
    stop();
    socket.pause();
    const rest = chunk.subarray(answer.end - seen);
    if (rest.length > 0) socket.unshift(rest);
    done(null);
  };
  socket.on("data", read).on("end", end).on("error", fail).on("close", end);
  socket.write(connectHead(origin, proxy));
  return () => {
    stop();
    socket.destroy();
  };
}

function connectHead({ host, port }: Origin, { authorization }: Proxy): string {
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const credentials = authorization === null ? "" : `proxy-authorization: ${authorization}\r\n`;
  return `CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${credentials}\r\n`;
}

interface Answer {
  /** Null where what came is no answer. */
  readonly status: number | null;
  /** The status line, or what is wrong, quoted. */
  readonly said: ForeignText;
  /** The index of the first byte after the head. */
  readonly end: number;
}

const statusLine = /^HTTP\/1\.[01] (\d{3})(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const headerLine = /^[!#$%&'*+.^_`|~\dA-Za-z-]+:[\t\x20-\x7e\x80-\xff]*$/;

/** The proxy's answer; null for as long as it is not whole. Interim answers are passed over. */
function readAnswer(text: string): Answer | null {
  let start = 0;
  for (;;) {
    const head = text.slice(start);
    const noAnswer = (what: ForeignText): Answer => ({ status: null, said: what, end: text.length });
    // What is not HTTP need not be waited for.
    if (!head.startsWith("HTTP/1.".slice(0, head.length)))
      return noAnswer(told`with ${quotedBytes(head)}, which is not HTTP`);
    const length = head.indexOf("\r\n\r\n");
    const end = start + length + 4;
    if (Math.max(end, length < 0 ? text.length : 0) > maxHeadBytes) {
      return noAnswer(told`with more than ${maxHeadBytes} bytes of headers`);
    }
    if (length < 0) return null;
    const [line = "", ...headers] = head.slice(0, length).split("\r\n");
    const status = Number(statusLine.exec(line)?.[1]);
    const malformed =
      status >= 100 && status !== 101 ? headers.find((header) => !headerLine.test(header)) : line;
    if (malformed !== undefined) return noAnswer(told`with ${quotedBytes(malformed)}, which is not HTTP`);
    if (status >= 200) return { status, said: told`with ${quotedBytes(line)}`, end };
    start = end;
  }
}

function failureOf({ status, said }: Answer, proxy: Proxy): ConnectFailure | null {
  if (status !== null && status >= 200 && status <= 299) return null;
  return proxyFailure(proxy, told`answered CONNECT ${said}`, status);
}
