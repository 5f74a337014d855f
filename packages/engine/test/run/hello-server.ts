import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll } from "vitest";

/**
 * Starts a server for all tests of a file, and returns its address. It responds to `/soon` after 10 ms, and
 * to other paths at once.
 */
export async function serveHello(): Promise<string> {
  const server = createServer((request, response) => {
    // A load that requests this path in a loop uses little CPU.
    if (request.url === "/soon") setTimeout(() => response.end("hello\n"), 10);
    else response.end("hello\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
