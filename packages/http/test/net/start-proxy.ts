import { connect, type Socket } from "node:net";

import { startRawServer, type RawServer } from "../servers.ts";

const established = "HTTP/1.1 200 Connection established\r\n\r\n";

/** Starts a proxy that opens each tunnel after a delay. */
export async function startProxy(delayMs = 0): Promise<RawServer> {
  return await startRawServer((socket, head) => {
    setTimeout(() => {
      if (socket.destroyed) return;
      socket.write(established);
      tunnel(socket, dial(head));
    }, delayMs);
  });
}

/** Starts a proxy that sends its response in one piece with the first bytes from the target. */
export async function startEagerProxy(): Promise<RawServer> {
  return await startRawServer((socket, head) => {
    const target = dial(head);
    target.once("data", (chunk: Buffer) => {
      socket.write(Buffer.concat([Buffer.from(established), chunk]));
      tunnel(socket, target);
    });
  });
}

function dial(head: string): Socket {
  const [, host = "", port = ""] = /^CONNECT \[?([^\s\]]+?)\]?:(\d+) HTTP\/1\.1/.exec(head) ?? [];
  return connect({ host, port: Number(port) });
}

function tunnel(client: Socket, target: Socket): void {
  client.removeAllListeners("data");
  // The raw server has set an encoding, so its data is text.
  client.on("data", (text: string) => target.write(text, "latin1"));
  target.on("data", (chunk: Buffer) => client.write(chunk));
  target.on("error", () => client.destroy()).on("close", () => client.destroy());
  client.on("close", () => target.destroy());
}
