import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ephemeral ports, so that no connection can take a port before a test's server does. */
const lowestPort = 20_000;
const highestPort = 32_000;

/** Returns a port on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowestPort + Math.floor(Math.random() * (highestPort - lowestPort));
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
