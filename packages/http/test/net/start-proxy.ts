import { connect, type Socket } from "node:net";

import { startRawServer, type RawServer } from "../servers.ts";

const established = "HTTP/1.1 200 Connection established\r\n\r\n";

/** A proxy that opens the tunnels it is asked for, after a while. */
export async function startProxy(delayMs = 0): Promise<RawServer> {
  return await startRawServer((socket, head) => {
    setTimeout(() => {
      if (socket.destroyed) return;
      socket.write(established);
      tunnel(socket, dial(head));
    }, delayMs);
  });
}

/** A proxy whose answer comes in one piece with what the target says first. */
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
  // The raw server reads text.
  client.on("data", (text: string) => target.write(text, "latin1"));
  target.on("data", (chunk: Buffer) => client.write(chunk));
  target.on("error", () => client.destroy()).on("close", () => client.destroy());
  client.on("close", () => target.destroy());
}
