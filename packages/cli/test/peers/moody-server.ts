import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";

import { onTestFinished } from "vitest";

/** Treats one request. `later` calls a function after a time, unless the connection has closed by then. */
export type Reaction = (socket: Socket, later: (ms: number, act: () => void) => void) => void;

/** How a server behaves at one moment. */
export interface Mood {
  /** True if nothing listens: connections are refused, and open ones are cut. */
  readonly isDown?: boolean;
  /** Called with a new connection, before its first request. By default, connections are served. */
  readonly onConnection?: (socket: Socket, number: number) => "serve" | "ignore";
  readonly onRequest: Reaction;
}

/** Returns the mood at a time since the first connection, in ms; requests are counted from 0. */
export type Moods = (sinceMs: number, request: number) => Mood;

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** Returns a mood that answers after some ms. */
export const answers = (afterMs = 5, response = ok): Mood => ({
  onRequest: (socket, later) => {
    later(afterMs, () => socket.write(response));
  },
});

export const status = (code: number): Mood =>
  answers(5, `HTTP/1.1 ${code} Told\r\ncontent-length: 0\r\n\r\n`);

/** Starts a server on loopback whose mood changes over time. */
export async function startMoodyServer(moods: Moods): Promise<{ readonly url: string }> {
  const sockets = new Set<Socket>();
  let firstMs: number | null = null;
  let requests = 0;
  let connections = 0;
  let port = 0;
  let server: Server | null = null;
  const sinceMs = (): number => (firstMs === null ? 0 : performance.now() - firstMs);

  const serve = (socket: Socket): void => {
    firstMs ??= performance.now();
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    const mood = moods(sinceMs(), requests);
    if (mood.onConnection?.(socket, connections++) === "ignore") return;
    const later = (ms: number, act: () => void): void => {
      setTimeout(() => {
        if (!socket.destroyed) act();
      }, ms);
    };
    socket.on("data", (bytes) => {
      const heads = bytes.toString("latin1").split("\r\n\r\n").length - 1;
      for (let head = 0; head < heads; head++) moods(sinceMs(), requests++).onRequest(socket, later);
    });
  };
  const listen = (): Promise<void> =>
    new Promise((resolve) => {
      const started = createServer(serve).listen(port, "127.0.0.1", () => {
        port = (started.address() as AddressInfo).port;
        resolve();
      });
      server = started;
    });
  const goDown = (): void => {
    server?.close();
    server = null;
    for (const socket of sockets) socket.destroy();
  };
  await listen();
  const watch = setInterval(() => {
    const { isDown = false } = moods(sinceMs(), requests);
    if (isDown && server !== null) goDown();
    else if (!isDown && server === null) void listen();
  }, 10);
  onTestFinished(() => {
    clearInterval(watch);
    goDown();
  });
  return { url: `http://127.0.0.1:${port}` };
}
