import { once } from "node:events";
import { connect, createServer, Socket, type AddressInfo } from "node:net";
import { join } from "node:path";

import { connectAsEngine, connectTlsAsEngine } from "@bearhug/http/net/engine-sockets";
import { describe, expect, onTestFinished, test } from "vitest";

import { guardConnections } from "../../src/worker/guard-connections.ts";
import { temporaryFolder } from "../../../cli/test/end-to-end/run-bearhug.ts";

/** Starts a server at a path, or at a free port of 127.0.0.1, which is returned. */
async function listen(path?: string): Promise<number> {
  const server = createServer((socket) => socket.end());
  if (path === undefined) server.listen(0, "127.0.0.1");
  else server.listen(path);
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return path === undefined ? (server.address() as AddressInfo).port : 0;
}

/** Refuses every connection of this thread, and records the addresses that were checked. */
function refuseAll(): { readonly checked: string[]; readonly open: () => void } {
  const checked: string[] = [];
  const open = guardConnections((hostname, port) => {
    checked.push(`${hostname}:${port}`);
    return new Error("not through here");
  });
  onTestFinished(open);
  return { checked, open };
}

describe("the door of a thread's sockets", () => {
  test("checks each of them, in whatever form the address is passed", async () => {
    const { checked } = refuseAll();
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
    expect(checked).toEqual([
      "localhost:81",
      "[::1]:82",
      "localhost:83",
      "localhost:84",
      "127.0.0.1:85",
      "a.example:86",
    ]);
  });

  test("lets connections of the engine and to unix sockets through", async () => {
    const path = join(temporaryFolder(), "s");
    const port = await listen();
    await listen(path);
    const { checked } = refuseAll();
    const open = [
      connectAsEngine({ port, host: "127.0.0.1" }),
      connectTlsAsEngine({ port, host: "127.0.0.1" }),
      connect(path),
      connect({ path }),
    ];
    await Promise.all(open.map((socket) => once(socket, "connect")));
    for (const socket of open) socket.destroy();
    expect(checked).toEqual([]);
    connect({ port, host: "127.0.0.1" }).on("error", () => {});
    expect(checked).toEqual([`127.0.0.1:${port}`]);
  });

  test("is removed when it is opened", async () => {
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
