import { createServer as createHttpServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createHttpsServer, type ServerOptions } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";

import { InvalidInput } from "@bearhug/sdk";
import { version } from "@bearhug/text/version";
import { WebSocketServer } from "ws";

import {
  connect,
  maxAgentMessageBytes,
  versionHeader,
  type Connection,
  type ConnectionEvents,
} from "./connection.ts";
import { sharedKeyOf } from "./shared-key.ts";
import { otherTokenMessage, hasToken } from "./token.ts";

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** A certificate (PEM), or `token` for a key derived from the token; null for plain WebSockets. */
  readonly tls: Certificate | "token" | null;
  /** Called for each connection of an agent that has proved that it knows the token. */
  readonly accept: (connection: () => Connection) => ConnectionEvents;
}

interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens for agents. @throws {InvalidInput} if the address cannot be listened on */
export async function listenForAgents({ host, port, token, tls, accept }: ListenOptions): Promise<Listening> {
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: maxAgentMessageBytes,
  });
  const server: Server = tls === null ? createHttpServer() : createHttpsServer(await tlsOptions(tls, token));
  const open = new Set<Duplex>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", (_request, response) => {
    response.writeHead(426, { connection: "close" }).end("This is a coordinator of bearhug.\n");
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => undefined);
    const refusal = refusalOf(request, token);
    if (refusal !== null) {
      refuse(socket, refusal);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection: Connection = connect(
        webSocket,
        accept(() => connection),
      );
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) =>
      reject(new InvalidInput([`--listen ${host}:${port}: ${error.message}.`], { cause: error })),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      for (const webSocket of sockets.clients) webSocket.close();
      // Agents have a short time to complete the closing handshake.
      const cut = setTimeout(() => {
        for (const socket of open) socket.destroy();
      }, closeTimeoutMs);
      await closed;
      clearTimeout(cut);
    },
  };
}

const closeTimeoutMs = 500;

async function tlsOptions(tls: Certificate | "token", token: string): Promise<ServerOptions> {
  // Before TLS 1.3, pre-shared keys have no forward secrecy.
  const minVersion = "TLSv1.3";
  if (tls !== "token") return { ...tls, minVersion };
  const { psk, identity } = await sharedKeyOf(token);
  return { minVersion, pskCallback: (_socket, named) => (named === identity ? psk : null) };
}

interface Refusal {
  readonly status: string;
  readonly sentence: string;
}

function refusalOf({ headers }: IncomingMessage, token: string): Refusal | null {
  if (!hasToken(token, headers.authorization))
    return { status: "401 Unauthorized", sentence: otherTokenMessage };
  const given = headers[versionHeader];
  if (given === version) return null;
  const sentence = `The coordinator runs bearhug ${version}, and this agent ${String(given)}. Install the same version.`;
  return { status: "409 Conflict", sentence };
}

function refuse(socket: Duplex, { status, sentence }: Refusal): void {
  const lines = [
    `HTTP/1.1 ${status}`,
    "connection: close",
    "content-type: text/plain",
    `content-length: ${Buffer.byteLength(sentence)}`,
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${sentence}`);
}
