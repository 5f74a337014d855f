// Targets that are late by the number of ms in the argument, one for each phase, in a separate process.
// Prints their addresses as JSON. Each responds with the time for which it delayed the request by its own
// clock, as `[least, most]` in ms: for an upload, until its first byte and its last were read.
import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";

const delayMs = Number(process.argv[2]);
/** The duration of the latest delay. */
let heldMs = Number.NaN;

function hold(act: () => void): void {
  const arrivedAt = performance.now();
  setTimeout(() => {
    heldMs = performance.now() - arrivedAt;
    act();
  }, delayMs);
}

/** The methods that responses of HTTP/1.1 and HTTP/2 share. */
interface ResponseWriter {
  write(text: string): boolean;
  end(text: string): unknown;
}

function respond(path: string, request: Readable, response: ResponseWriter): void {
  const send = (least: number, most: number): void => {
    response.end(JSON.stringify([least, most]));
  };
  const sendHeld = (): void => send(heldMs, heldMs);
  if (path === "/upload") {
    const arrivedAt = performance.now();
    hold(() => {
      const firstMs = heldMs;
      request.resume().on("end", () => send(firstMs, performance.now() - arrivedAt));
    });
    return;
  }
  // JSON may start with whitespace.
  if (path === "/body") response.write("   ");
  if (path === "/opening") sendHeld();
  else hold(sendHeld);
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function dial(host: string): Socket {
  return connect({ host: "127.0.0.1", port: Number(host.split(":")[1]), noDelay: true });
}

/** Forwards data in both directions, and delays the client's first bytes. */
async function startRelay(host: string): Promise<string> {
  const server = createTcpServer({ noDelay: true }, (client) => {
    const target = together(client, dial(host));
    target.pipe(client);
    client.once("readable", () => hold(() => client.pipe(target)));
  });
  return await listen(server);
}

/** Opens the requested tunnels. */
async function startProxy(): Promise<string> {
  const server = createTcpServer({ noDelay: true }, (client) => {
    client.once("data", (head: Buffer) => {
      const [, host = ""] = /^CONNECT (\S+)/.exec(head.toString("latin1")) ?? [];
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.pipe(together(client, dial(host))).pipe(client);
    });
  });
  return await listen(server);
}

function together(client: Socket, target: Socket): Socket {
  client.on("error", () => target.destroy()).on("close", () => target.destroy());
  target.on("error", () => client.destroy()).on("close", () => client.destroy());
  return target;
}

/** Resolves every name to 127.0.0.1. */
async function startNameServer(): Promise<string> {
  const socket = createSocket("udp4");
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
  socket.on("message", (query, { port, address }) => {
    // Twelve bytes of head, then labels until one of no length, type and class.
    const reply = Buffer.concat([query.subarray(0, query.indexOf(0, 12) + 5), record]);
    reply.writeUInt16BE(0x8180, 2);
    reply.writeUInt16BE(1, 6);
    reply.writeUInt32BE(0, 8);
    hold(() => socket.send(reply, port, address));
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return `127.0.0.1:${socket.address().port}`;
}

function makeCertificate(): { readonly key: Buffer; readonly cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-bench-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  try {
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-keyout",
        key,
        "-out",
        cert,
        "-days",
        "2",
        "-subj",
        "/CN=127.0.0.1",
      ],
      { stdio: "ignore" },
    );
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const https = await listen(
  createHttpsServer(makeCertificate(), (request, response) => respond(request.url ?? "", request, response)),
);
console.log(
  JSON.stringify({
    http: await listen(createServer((request, response) => respond(request.url ?? "", request, response))),
    h2c: await listen(createHttp2Server((request, response) => respond(request.url, request, response))),
    https,
    nameServer: await startNameServer(),
    proxy: await startRelay(await startProxy()),
    relay: await startRelay(https),
  }),
);
