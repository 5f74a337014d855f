import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface CountingServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: () => number;
}

/** Starts a server on loopback that responds with 200 to everything and counts requests. */
export async function startCountingServer(): Promise<CountingServer> {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.end("hello\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
