import { once } from "node:events";
import {
  createSecureServer,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type IncomingHttpHeaders,
} from "node:http2";
import type { AddressInfo } from "node:net";

import { onTestFinished } from "vitest";

import type { Certificate } from "../make-certificate.ts";

export interface Http2TestServer {
  readonly port: number;
  /** The heads of requests, in the order in which they came. */
  readonly heads: IncomingHttpHeaders[];
  readonly bodies: string[];
}

type Respond = (response: Http2ServerResponse, request: Http2ServerRequest) => void;

/** Starts an HTTP/2 server on loopback that reads a request in full, then responds; closed after the test. */
export async function startHttp2Server(
  respond: Respond,
  certificate?: Certificate,
  allowHTTP1 = false,
): Promise<Http2TestServer> {
  const heads: IncomingHttpHeaders[] = [];
  const bodies: string[] = [];
  const serve = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    heads.push(request.headers);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks).toString());
      respond(response, request);
    });
  };
  const server =
    certificate === undefined
      ? createServer(serve)
      : createSecureServer({ ...certificate, allowHTTP1 }, serve);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, heads, bodies };
}
