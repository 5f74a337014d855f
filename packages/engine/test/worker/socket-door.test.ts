import { once } from "node:events";
import { connect, createServer, Socket, type AddressInfo } from "node:net";
import { join } from "node:path";

import { connectAsEngine, connectTlsAsEngine } from "@bearhug/http/net/own-sockets";
import { describe, expect, onTestFinished, test } from "vitest";

import { guardConnections } from "../../src/worker/socket-door.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";

/** Where a server listens: a port of 127.0.0.1, or a path. */
async function listen(path?: string): Promise<number> {
  const server = createServer((socket) => socket.end());
  if (path === undefined) server.listen(0, "127.0.0.1");
  else server.listen(path);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return path === undefined ? (server.address() as AddressInfo).port : 0;
}

/** A door that lets nobody through, and what it was asked. */
function refuseAll(): { readonly asked: string[]; readonly open: () => void } {
  const asked: string[] = [];
  const open = guardConnections((hostname, port) => {
    asked.push(`${hostname}:${port}`);
    return new Error("not through here");
  });
  onTestFinished(open);
  return { asked, open };
}

describe("the door of a thread's sockets", () => {
  test("is asked for each, however it is told where to connect", async () => {
    const { asked } = refuseAll();
    const sockets = [
      connect(81, "LOCALHOST"),
      connect({ port: 82, host: "::1" }),
      connect({ port: 83 }),
      new Socket().connect(84),
      new Socket().connect({ port: 85, host: "127.0.0.1" }),
      connect({ port: 86, host: "a.example", lookup: () => expect.unreachable("nothing is looked up") }),
    ];
    const errors = await Promise.all(
      sockets.map((socket) => new Promise<Error>((resolve) => socket.once("error", resolve))),
    );
    expect(errors.map(({ message }) => message)).toEqual(sockets.map(() => "not through here"));
    expect(sockets.every(({ destroyed }) => destroyed)).toBe(true);
    expect(asked).toEqual([
      "localhost:81",
      "[::1]:82",
      "localhost:83",
      "localhost:84",
      "127.0.0.1:85",
      "a.example:86",
    ]);
  });

  test("lets the engine through, and what leads nowhere else: unix sockets", async () => {
    const path = join(temporaryFolder(), "s");
    const port = await listen();
    await listen(path);
    const { asked } = refuseAll();
    const open = [
      connectAsEngine({ port, host: "127.0.0.1" }),
      connectTlsAsEngine({ port, host: "127.0.0.1" }),
      connect(path),
      connect({ path }),
    ];
    await Promise.all(open.map((socket) => once(socket, "connect")));
    for (const socket of open) socket.destroy();
    expect(asked).toEqual([]);
    connect({ port, host: "127.0.0.1" }).on("error", () => {});
    expect(asked).toEqual([`127.0.0.1:${port}`]);
  });

  test("is gone when it is opened", async () => {
    const before: unknown = Reflect.get(Socket.prototype, "connect");
    const port = await listen();
    const { open } = refuseAll();
    expect(Reflect.get(Socket.prototype, "connect")).not.toBe(before);
    open();
    expect(Reflect.get(Socket.prototype, "connect")).toBe(before);
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    socket.destroy();
  });
});
