import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

import { startPinned } from "./pinned-process.ts";
import type { StartFigures } from "./results.ts";

const responseText = "HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 6\r\n\r\nhello\n";
const withinMs = 30_000;

/**
 * Measures the time from the start of a process until the server, on another core, has the first bytes of a
 * request.
 */
export async function measureStart(
  core: number,
  commandFor: (url: string) => readonly string[],
): Promise<StartFigures> {
  const arrivals: number[] = [];
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => socket.destroy());
    socket.on("data", () => {
      arrivals.push(performance.now());
      socket.write(responseText);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const command = commandFor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const startedAtMs = performance.now();
  const client = startPinned(command, core);
  const stop = new AbortController();
  try {
    const ending = await Promise.race([client.ended, wait(withinMs, null, { signal: stop.signal })]);
    if (ending === null) throw new Error("it did not end");
    if (ending.exitCode !== 0) throw new Error(`exit code ${ending.exitCode ?? "none"}: ${ending.printed}`);
    const [firstAtMs] = arrivals;
    if (firstAtMs === undefined) throw new Error("it made no request");
    return { firstRequestMs: firstAtMs - startedAtMs };
  } finally {
    stop.abort();
    client.kill();
    server.close();
  }
}
