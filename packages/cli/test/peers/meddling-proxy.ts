import { once } from "node:events";
import {
  createServer,
  request as requestHttp,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

import { onTestFinished } from "vitest";

export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Each byte is a character, so that none is lost. */
  readonly body: string;
}

/** What becomes of a request on its way. */
export type Meddling = (request: Passing) => Passing | Promise<Passing>;

/** A proxy before an application, which sees its own address in all that it gets. Returns the proxy's address. */
export async function startMeddlingProxy(application: string, meddle: Meddling): Promise<string> {
  const server = createServer((request, response) => {
    pass(request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const own = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
        host: new URL(application).host,
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
      requestHttp(new URL(path, application), {
        method,
        headers: { ...headers, "content-length": bytes.length },
      })
        .on("response", resolve)
        .on("error", reject)
        .end(bytes);
    });
  }

  return own;
}
