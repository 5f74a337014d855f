import { once } from "node:events";
import { createServer as createHttp2Server } from "node:http2";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";

import { onTestFinished } from "vitest";

import { startServer } from "../servers.ts";

/** A server that is late, and tells how late it was by its own clock: timers are. */
export interface LateServer {
  readonly url: string;
  /** From a request's beginning to its last act, in ms, by what it was to take. */
  readonly tookMs: ReadonlyMap<number, number>;
}

/** As a response of HTTP/1.1 and one of HTTP/2 have it. */
interface Answering {
  write(text: string): boolean;
  end(text: string): unknown;
}

/** Answers `/first-byte/40` and `/body/40` so late. */
export async function startLateServer(protocol: "http1" | "h2c"): Promise<LateServer> {
  const tookMs = new Map<number, number>();
  const answer = (path: string, response: Answering): void => {
    const cameAt = performance.now();
    const [, what, delay] = path.split("/");
    const delayMs = Number(delay);
    const isDripping = what === "body";
    if (isDripping) response.write("the head, and something of the body");
    // That something came is not that all did.
    const drip = setInterval(() => isDripping && response.write("x"), delayMs / 4);
    setTimeout(() => {
      clearInterval(drip);
      tookMs.set(delayMs, performance.now() - cameAt);
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

/** A server that reads nothing of what it is sent for a while, then all. */
export interface SlowReader {
  readonly url: string;
  /** From a request's beginning to the first that was read, and to the last, in ms. */
  readonly readMs: () => readonly [firstMs: number, lastMs: number];
}

/** Reads an upload of HTTP/1.1 to its end, after a while. */
export async function startSlowReader(delayMs: number, bytes: number): Promise<SlowReader> {
  let readMs: readonly [number, number] = [Number.NaN, Number.NaN];
  const server = createTcpServer({ pauseOnConnect: true }, (socket) => {
    const cameAt = performance.now();
    let [received, firstMs] = [0, Number.NaN];
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received < bytes) return;
      readMs = [firstMs, performance.now() - cameAt];
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    });
    socket.pause();
    const timer = setTimeout(() => {
      firstMs = performance.now() - cameAt;
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
    const cameAt = performance.now();
    const timer = setTimeout(() => {
      const firstMs = performance.now() - cameAt;
      request.resume().on("end", () => {
        readMs = [firstMs, performance.now() - cameAt];
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
