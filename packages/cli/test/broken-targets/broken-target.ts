import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** The targets of these tests: ways to be broken, and some that count as healthy. */
export const targetKinds = [
  "healthy",
  "1 % errors",
  "slow start",
  "restarts within a second",
  "dead from the start",
  "hangs from the start",
  "dies",
  "hangs",
  "answers 503",
  "resets connections",
  "drips its bodies",
  "70 × slower",
] as const;

export type TargetKind = (typeof targetKinds)[number];

/** The kinds for which a run should pass. */
export const healthyKinds: ReadonlySet<TargetKind> = new Set([
  "healthy",
  "1 % errors",
  "slow start",
  "restarts within a second",
]);

export interface BrokenTarget {
  readonly url: string;
  readonly requests: () => number;
  readonly close: () => Promise<void>;
}

export interface TargetOptions {
  /** Counted from the first request, so that it does not depend on how long the command takes to start. */
  readonly breaksAfterMs: number;
  readonly serviceMs?: number;
  /** Only this path shows the fault, for kinds whose fault is in their responses. */
  readonly onlyPath?: string;
}

const host = "127.0.0.1";
const restartMs = 500;
const slowStart = { forMs: 1000, factor: 10 };
const body = "hello\n";

/** Starts a target that responds after `serviceMs` until its fault begins. */
export async function startTarget(
  kind: TargetKind,
  { breaksAfterMs, serviceMs = 3, onlyPath }: TargetOptions,
): Promise<BrokenTarget> {
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const later = (ms: number, act: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, ms);
    timers.add(timer);
  };
  const reset = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  let [requests, firstMs, hasBroken] = [0, 0, kind === "hangs from the start"];
  const answer = (path: string | undefined, response: ServerResponse): void => {
    const isBroken = hasBroken && (onlyPath === undefined || path === onlyPath);
    const isSlow = kind === "slow start" && Date.now() - firstMs < slowStart.forMs;
    if (isBroken && kind.startsWith("hangs")) return;
    if (isBroken && kind === "resets connections") return void response.socket?.resetAndDestroy();
    if (isBroken && kind === "answers 503") return void response.writeHead(503).end();
    if (isBroken && kind === "drips its bodies") {
      drip(response, later);
      return;
    }
    if (kind === "1 % errors" && requests % 100 === 50) response.statusCode = 500;
    const factor = isSlow ? slowStart.factor : isBroken && kind === "70 × slower" ? 70 : 1;
    later(serviceMs * factor, () => response.end(body));
  };
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    if (requests++ === 0) {
      firstMs = Date.now();
      later(breaksAfterMs, () => {
        hasBroken = true;
        if (kind === "dies" || kind === "restarts within a second") void server.close();
        if (kind === "dies" || kind === "restarts within a second" || kind === "resets connections") reset();
        if (kind === "restarts within a second") later(restartMs, () => server.listen(port, host));
      });
    }
    answer(request.url, response);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  const port = await listen(server);
  const close = async (): Promise<void> => {
    for (const timer of timers) clearTimeout(timer);
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  if (kind === "dead from the start") await close();
  return { url: `http://${host}:${port}`, requests: () => requests, close };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** Sends the head at once, and then a byte each half second, for longer than any client waits. */
function drip(response: ServerResponse, later: (ms: number, act: () => void) => void): void {
  response.writeHead(200, { "content-length": "1000" });
  const next = (): void => {
    if (response.destroyed) return;
    response.write("x");
    later(500, next);
  };
  next();
}
