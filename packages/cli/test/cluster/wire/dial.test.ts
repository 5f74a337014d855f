import { once } from "node:events";
import { request } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";
import {
  connect,
  createServer as createTlsServer,
  getCACertificates,
  Server as TlsServer,
  setDefaultCACertificates,
} from "node:tls";

import { InvalidInput } from "@bearhug/sdk";
import { describe, expect, onTestFinished, test } from "vitest";

import { maxAgentMessageBytes, type Connection } from "../../../src/cluster/wire/connection.ts";
import { dialCoordinator } from "../../../src/cluster/wire/dial.ts";
import { listenForAgents, type ListenOptions } from "../../../src/cluster/wire/listen.ts";
import { isLoopback } from "../../../src/cluster/wire/loopback.ts";
import { sharedKeyOf } from "../../../src/cluster/wire/shared-key.ts";
import { tokenHeader } from "../../../src/cluster/wire/token.ts";
import { hasOpenssl, makeCertificate, type Certificate } from "../../../../http/test/make-certificate.ts";

const token = "the token of these tests";

interface Started {
  readonly url: URL;
  /** Every text that agents sent, and "closed" for a closed connection. */
  readonly received: string[];
}

/** Starts a coordinator that echoes each text, and responds to bytes with their number. */
async function start(tls: ListenOptions["tls"]): Promise<Started> {
  const received: string[] = [];
  const listening = await listenForAgents({
    host: "127.0.0.1",
    port: 0,
    token,
    tls,
    accept: (open) => ({
      onText: (text) => {
        received.push(text);
        open().send({ echo: text });
      },
      onBytes: (bytes) => {
        open().send({ bytes: bytes.length });
      },
      onClose: () => received.push("closed"),
    }),
  });
  onTestFinished(() => listening.close());
  return { url: new URL(`${tls === null ? "ws" : "wss"}://127.0.0.1:${listening.port}`), received };
}

async function dial(
  { url }: Pick<Started, "url">,
  shown = token,
): Promise<{ connection: Connection; replies: string[]; closed: Promise<void> }> {
  const replies: string[] = [];
  let close: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  const connection = await dialCoordinator(
    { url, token: shown },
    {
      onText: (text) => replies.push(text),
      onBytes: () => undefined,
      onClose: () => {
        close();
      },
    },
  );
  return { connection, replies, closed };
}

async function expectTalk(started: Started): Promise<void> {
  const { connection, replies, closed } = await dial(started);
  connection.send({ hello: 1 });
  await connection.sendBytes(Buffer.alloc(300_000));
  await expect.poll(() => replies).toEqual(['{"echo":"{\\"hello\\":1}"}', '{"bytes":300000}']);
  connection.close();
  await closed;
  await expect.poll(() => started.received).toEqual(['{"hello":1}', "closed"]);
}

test.for([
  ["ws", null],
  ["wss, with a key derived from the token", "token"],
] as const)("an agent and its coordinator talk over %s", async ([, tls]) => {
  await expectTalk(await start(tls));
});

test.runIf(hasOpenssl)("an agent and its coordinator talk over wss, with a trusted certificate", async () => {
  const certificate = makeCertificate("IP:127.0.0.1");
  trust(certificate);
  await expectTalk(await start(certificate));
});

test("a frame larger than any message of an agent ends its connection", async () => {
  const started = await start(null);
  const { connection, replies, closed } = await dial(started);
  await connection.sendBytes(Buffer.alloc(maxAgentMessageBytes)).catch(() => undefined);
  await expect.poll(() => replies).toEqual([`{"bytes":${maxAgentMessageBytes}}`]);
  await connection.sendBytes(Buffer.alloc(maxAgentMessageBytes + 1)).catch(() => undefined);
  await closed;
  expect(replies).toHaveLength(1);
  await expect.poll(() => started.received).toEqual(["closed"]);
});

describe("an agent is refused with one sentence", () => {
  test("if it has another token", async () => {
    const started = await start(null);
    await expect(dial(started, "another token")).rejects.toThrow("The coordinator has another token.");
    expect(started.received).toEqual([]);
  });

  test("if it has another version", async () => {
    const { url } = await start(null);
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "MDEyMzQ1Njc4OWFiY2RlZg==",
      authorization: tokenHeader(token),
      "bearhug-version": "0.0.1",
    };
    const sent = request(url.href.replace("ws:", "http:"), { headers }).end();
    const [response] = (await once(sent, "response")) as [AsyncIterable<Buffer> & { statusCode: number }];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    expect(response.statusCode).toBe(409);
    expect(Buffer.concat(chunks).toString()).toMatch(
      /^The coordinator runs bearhug \d.*, and this agent 0\.0\.1\. Install the same version\.$/,
    );
  });
});

test("the connection uses TLS 1.3 with forward secrecy", async () => {
  const { port } = new URL((await start("token")).url);
  const key = await sharedKeyOf(token);
  const socket = connect({ host: "127.0.0.1", port: Number(port), pskCallback: () => key });
  await once(socket, "secureConnect");
  const [protocol, exchange] = [socket.getProtocol(), socket.getEphemeralKeyInfo()];
  socket.destroy();
  expect([protocol, socket.authorized]).toEqual(["TLSv1.3", true]);
  expect(exchange !== null && "name" in exchange && exchange.name).toContain("X25519");
});

test("a client without the key fails in the TLS handshake", async () => {
  const { url, received } = await start("token");
  const socket = connect({ host: "127.0.0.1", port: Number(url.port), rejectUnauthorized: false });
  await expect(once(socket, "secureConnect")).rejects.toThrow("handshake failure");
  expect(received).toEqual([]);
});

/** Starts a server that is no coordinator and stores the bytes it receives, decrypted if it has TLS. */
async function startStranger(
  server: Server,
  answer: string | Buffer = "HTTP/1.1 400 Bad Request\r\n\r\n",
): Promise<{ readonly url: URL; readonly received: Buffer[] }> {
  const received: Buffer[] = [];
  server.on(server instanceof TlsServer ? "secureConnection" : "connection", (socket: Socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      received.push(bytes);
      socket.end(answer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`wss://127.0.0.1:${port}`), received };
}

describe("an agent does not reveal its token", () => {
  test("to a coordinator with another token", async () => {
    const { url, received } = await start("token");
    const refused = dial({ url }, "another token");
    await expect(refused).rejects.toThrow(InvalidInput);
    await expect(refused).rejects.toThrow(/^The coordinator has another token\.$/);
    expect(received).toEqual([]);
  });

  test.for([
    ["OpenSSL 3.5: decrypt_error", 51],
    ["OpenSSL 3.0: illegal_parameter", 47],
  ] as const)("to a coordinator with another token, with the alert of %s", async ([, alert]) => {
    const fatal = Buffer.from([0x15, 3, 3, 0, 2, 2, alert]);
    const { url } = await startStranger(createTcpServer(), fatal);
    await expect(dial({ url })).rejects.toThrow(/^The coordinator has another token\.$/);
  });

  test.runIf(hasOpenssl)("to a server with an untrusted certificate", async () => {
    const { url, received } = await startStranger(createTlsServer(makeCertificate("IP:127.0.0.1")));
    const refused = dial({ url });
    await expect(refused).rejects.toThrow(InvalidInput);
    await expect(refused).rejects.toThrow(
      "The coordinator shows a certificate that this machine does not trust, instead of proving that it knows the token.",
    );
    expect(received).toEqual([]);
  });

  test.runIf(hasOpenssl)("to a server with a trusted certificate for another name", async () => {
    const certificate = makeCertificate("DNS:other.example");
    trust(certificate);
    const { url, received } = await startStranger(createTlsServer(certificate));
    await expect(dial({ url })).rejects.toThrow("IP: 127.0.0.1 is not in the cert's list");
    expect(received).toEqual([]);
  });

  test("to a server without TLS", async () => {
    const { url, received } = await startStranger(createTcpServer());
    await expect(dial({ url })).rejects.toThrow(
      /^it does not speak TLS 1\.3; join at the address that the coordinator prints$/,
    );
    expect(Buffer.concat(received).toString("latin1")).not.toContain(token);
  });

  test("to a coordinator on plain WebSockets", async () => {
    const { url, received } = await start(null);
    const secure = new URL(url.href.replace("ws:", "wss:"));
    await expect(dial({ url: secure })).rejects.toThrow(/^it does not speak TLS 1\.3/);
    expect(received).toEqual([]);
  });
});

/** Trusts a certificate until the test ends, as NODE_EXTRA_CA_CERTS would. */
function trust({ cert }: Certificate): void {
  const before = getCACertificates("default");
  setDefaultCACertificates([...before, cert]);
  onTestFinished(() => {
    setDefaultCACertificates(before);
  });
}

test("a browser that opens the coordinator's address gets an explanation", async () => {
  const { url } = await start(null);
  const response = await fetch(url.href.replace("ws:", "http:"));
  expect([response.status, await response.text()]).toEqual([426, "This is a coordinator of bearhug.\n"]);
});

test.for([
  ["127.0.0.1", true],
  ["127.3.2.1", true],
  ["[::1]", true],
  ["localhost", true],
  ["0.0.0.0", false],
  ["10.0.0.5", false],
  ["localhost.example", false],
] as const)("%s is a loopback address: %s", ([host, expected]) => {
  expect(isLoopback(host)).toBe(expected);
});
