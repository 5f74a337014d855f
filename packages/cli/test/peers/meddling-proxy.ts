import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

import { onTestFinished } from "vitest";

import { makeCertificate } from "../../../http/test/make-certificate.ts";
import { requestUnverified } from "./request-unverified.ts";

export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** One character for each byte, so that none is lost. */
  readonly body: string;
}

/** Changes a request on its way. */
export type Meddling = (request: Passing) => Passing | Promise<Passing>;

export interface MeddlingProxy {
  readonly url: string;
  /** Errors of the proxy and of the meddling, which make a run red, too. */
  readonly errors: readonly unknown[];
}

/** Starts a proxy in front of an application, which sees its own address in every request. */
export async function startMeddlingProxy(application: string, meddle: Meddling): Promise<MeddlingProxy> {
  const { protocol, host } = new URL(application);
  const errors: unknown[] = [];
  const onPassing: RequestListener = (request, response) => {
    pass(request, response).catch((error: unknown) => {
      errors.push(error);
      response.destroy();
    });
  };
  const server =
    protocol === "https:"
      ? createSecureServer(makeCertificate("IP:127.0.0.1"), onPassing)
      : createServer(onPassing);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const own = `${protocol}//127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { origin, referer } = request.headers;
    const passing = await meddle({
      method: request.method ?? "GET",
      path: request.url ?? "/",
      headers: {
        ...request.headers,
        host,
        ...(origin === undefined ? {} : { origin: origin.replace(own, application) }),
        ...(referer === undefined ? {} : { referer: referer.replace(own, application) }),
      },
      body: (await buffer(request)).toString("latin1"),
    });
    const answer = await send(passing);
    const location = answer.headers.location?.replace(application, own);
    response.writeHead(answer.statusCode ?? 502, {
      ...answer.headers,
      ...(location === undefined ? {} : { location }),
    });
    answer.pipe(response);
  }

  function send({ method, path, headers, body }: Passing): Promise<IncomingMessage> {
    const bytes = Buffer.from(body, "latin1");
    return new Promise((resolve, reject) => {
      requestUnverified(new URL(path, application), {
        method,
        headers: { ...headers, "content-length": bytes.length },
      })
        .on("response", resolve)
        .on("error", reject)
        .end(bytes);
    });
  }

  return { url: own, errors };
}
