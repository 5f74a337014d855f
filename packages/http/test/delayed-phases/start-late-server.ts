import { once } from "node:events";
import { createServer as createHttp2Server } from "node:http2";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";

import { onTestFinished } from "vitest";

import { startServer } from "../servers.ts";

/** A server that is late, and measures how late it was, since timers are late, too. */
export interface LateServer {
  readonly url: string;
  /** The time from a request to the end of its response, in ms, by the intended delay. */
  readonly tookMs: ReadonlyMap<number, number>;
}

/** The methods that responses of HTTP/1.1 and HTTP/2 share. */
interface Answering {
  write(text: string): boolean;
  end(text: string): unknown;
}

/** Starts a server that delays the first byte of `/first-byte/40` and the end of `/body/40` by 40 ms. */
export async function startLateServer(protocol: "http1" | "h2c"): Promise<LateServer> {
  const tookMs = new Map<number, number>();
  const answer = (path: string, response: Answering): void => {
    const receivedAt = performance.now();
    const [, what, delay] = path.split("/");
    const delayMs = Number(delay);
    const isDripping = what === "body";
    if (isDripping) response.write("the head, and something of the body");
    // Earlier pieces must not count as the end of the body.
    const drip = setInterval(() => isDripping && response.write("x"), delayMs / 4);
    setTimeout(() => {
      clearInterval(drip);
      tookMs.set(delayMs, performance.now() - receivedAt);
      response.end("end");
    }, delayMs);
  };
  if (protocol === "http1") {
    const { url } = await startServer((request, response) => answer(request.url ?? "", response));
    return { url, tookMs };
  }
  const server = createHttp2Server((request, response) => answer(request.url, response));
  return { url: await listen(server), tookMs };
}

/** A server that reads nothing for a while, and then everything. */
export interface SlowReader {
  readonly url: string;
  /** The times from a request's beginning to its first and last byte read, in ms. */
  readonly readMs: () => readonly [firstMs: number, lastMs: number];
}

/** Starts a server that reads an HTTP/1.1 upload to its end, after a while. */
export async function startSlowReader(delayMs: number, bytes: number): Promise<SlowReader> {
  let readMs: readonly [number, number] = [Number.NaN, Number.NaN];
  const server = createTcpServer({ pauseOnConnect: true }, (socket) => {
    const receivedAt = performance.now();
    let [received, firstMs] = [0, Number.NaN];
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received < bytes) return;
      readMs = [firstMs, performance.now() - receivedAt];
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    socket.pause();
    const timer = setTimeout(() => {
      firstMs = performance.now() - receivedAt;
      socket.resume();
    }, delayMs);
    socket.once("close", () => clearTimeout(timer));
  });
  return { url: await listen(server), readMs: () => readMs };
}

/** The same with HTTP/2, whose flow control stops the upload. */
export async function startSlowHttp2Reader(delayMs: number): Promise<SlowReader> {
  let readMs: readonly [number, number] = [Number.NaN, Number.NaN];
  const server = createHttp2Server((request, response) => {
    const receivedAt = performance.now();
    const timer = setTimeout(() => {
      const firstMs = performance.now() - receivedAt;
      request.resume().on("end", () => {
        readMs = [firstMs, performance.now() - receivedAt];
        response.end("ok");
      });
    }, delayMs);
    request.once("close", () => clearTimeout(timer));
  });
  return { url: await listen(server), readMs: () => readMs };
}

async function listen(server: Server): Promise<string> {
  const sockets: Socket[] = [];
  server.on("connection", (socket: Socket) => sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
