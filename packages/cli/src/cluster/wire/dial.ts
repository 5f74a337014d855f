import type { IncomingMessage } from "node:http";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

import { InvalidInput } from "@bearhug/sdk";
import { version } from "@bearhug/text/version";
import { WebSocket } from "ws";

import {
  connect,
  maxCoordinatorMessageBytes,
  versionHeader,
  type Connection,
  type ConnectionEvents,
} from "./connection.ts";
import { sharedKeyOf } from "./shared-key.ts";
import { otherTokenMessage, tokenHeader } from "./token.ts";

/** The address of a coordinator, and the token for mutual authentication. */
export interface Destination {
  readonly url: URL;
  /**
   * Over `wss:`, the coordinator must also prove that it knows the token, or present a trusted certificate.
   */
  readonly token: string;
}

/** Opens a connection; rejects if that fails. */
export type Dial = (events: ConnectionEvents) => Promise<Connection>;

const timeoutMs = 10_000;

/**
 * Connects to a coordinator. Sends the token only after the coordinator has been authenticated.
 * @throws {InvalidInput} with one sentence if another attempt would not help
 */
export async function dialCoordinator(
  { url, token }: Destination,
  events: ConnectionEvents,
): Promise<Connection> {
  const socket = await openSocket(url, token);
  const webSocket = new WebSocket(url, {
    createConnection: () => socket,
    headers: { authorization: tokenHeader(token), [versionHeader]: version },
    perMessageDeflate: false,
    maxPayload: maxCoordinatorMessageBytes,
    handshakeTimeout: timeoutMs,
  });
  await opened(webSocket);
  return connect(webSocket, events);
}

async function openSocket({ protocol, hostname, port }: URL, token: string): Promise<Socket> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isSecure = protocol === "wss:";
  const address = { host, port: Number(port === "" ? (isSecure ? 443 : 80) : port) };
  if (!isSecure) return connected(connectTcp(address), "connect");
  const name = isIP(host) === 0 ? { servername: host } : {};
  const key = await sharedKeyOf(token);
  // A server without the key must present a certificate, which Node then verifies, including the host's name.
  const socket = connectTls({
    ...address,
    ...name,
    minVersion: "TLSv1.3",
    rejectUnauthorized: true,
    pskCallback: () => key,
  });
  return connected(socket, "secureConnect");
}

function connected<Kind extends Socket>(socket: Kind, event: "connect" | "secureConnect"): Promise<Kind> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => reject(describeTlsError(error));
    socket.once("error", fail);
    socket.setTimeout(timeoutMs, () => {
      socket.destroy(new Error(`no answer within ${timeoutMs / 1000} s`));
    });
    socket.once(event, () => {
      socket.off("error", fail);
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

/**
 * The alert of a server with another key, in OpenSSL 3.5 (Node 24) and 3.0 (Node 22). Versions also name
 * alerts differently: SSLV3_ALERT_…, SSL/TLS_ALERT_….
 */
const otherKey = /_ALERT_(DECRYPT_ERROR|ILLEGAL_PARAMETER)$/;

/** Returns a readable error: OpenSSL's messages refer to its own source files. */
function describeTlsError(error: Error): Error {
  const code = "code" in error ? String(error.code) : "";
  if (otherKey.test(code)) return new InvalidInput([otherTokenMessage], { cause: error });
  if (code === "DEPTH_ZERO_SELF_SIGNED_CERT" || code === "SELF_SIGNED_CERT_IN_CHAIN")
    return new InvalidInput([
      "The coordinator shows a certificate that this machine does not trust, instead of proving that it knows the token. Check --join. If the certificate is your own (--tls-cert), name its authority in NODE_EXTRA_CA_CERTS.",
    ]);
  if (!code.startsWith("ERR_SSL_")) return error;
  return new Error("it does not speak TLS 1.3; join at the address that the coordinator prints", {
    cause: error,
  });
}

function opened(webSocket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    webSocket.once("open", resolve);
    webSocket.once("error", reject);
    webSocket.once("unexpected-response", (_request, response) => {
      void readRefusal(response).then(reject);
    });
  });
}

/** The length limit of a coordinator's error message. */
const maxSentenceLength = 1000;

async function readRefusal(response: IncomingMessage): Promise<Error> {
  let sentence = "";
  for await (const chunk of response.setEncoding("utf8")) {
    sentence += String(chunk);
    if (sentence.length > maxSentenceLength) break;
  }
  const { statusCode } = response;
  if (statusCode === 401 || statusCode === 409) return new InvalidInput([sentence]);
  return new Error(`it answered with status ${statusCode}, as no coordinator of bearhug does`);
}
