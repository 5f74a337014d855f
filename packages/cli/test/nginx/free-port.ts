import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that the system hands to connections, so that none of them can take one before nginx does. */
const lowestPort = 20_000;
const highestPort = 32_000;

/** A port on which nobody listens. */
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
