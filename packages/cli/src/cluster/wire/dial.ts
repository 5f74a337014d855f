import type { IncomingMessage } from "node:http";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

import { InvalidInput } from "@bearhug/sdk";
import { version } from "@bearhug/text/version";
import { WebSocket } from "ws";

import {
  connect,
  mostFromCoordinatorBytes,
  versionHeader,
  type Connection,
  type ConnectionEvents,
} from "./connection.ts";
import { sharedKeyOf } from "./shared-key.ts";
import { hasOtherToken, showToken } from "./token.ts";

/** The coordinator of an agent, and how the two know each other. */
export interface Destination {
  readonly url: URL;
  /** Over `wss:`, also the coordinator must prove that it knows the token, or show a trusted certificate. */
  readonly token: string;
}

/** Opens a connection; rejects if there is none. */
export type Dial = (events: ConnectionEvents) => Promise<Connection>;

const patienceMs = 10_000;

/**
 * Connects to a coordinator, which is shown the token only when it is known to be the right one.
 * @throws {InvalidInput} where trying again would not help: one sentence
 */
export async function dialCoordinator(
  { url, token }: Destination,
  events: ConnectionEvents,
): Promise<Connection> {
  const socket = await openSocket(url, token);
  const webSocket = new WebSocket(url, {
    createConnection: () => socket,
    headers: { authorization: showToken(token), [versionHeader]: version },
    perMessageDeflate: false,
    maxPayload: mostFromCoordinatorBytes,
    handshakeTimeout: patienceMs,
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
  // A server that has not the key must show a certificate. Node verifies it then, with the host's name.
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
    const fail = (error: Error): void => {
      reject(inWords(error));
    };
    socket.once("error", fail);
    socket.setTimeout(patienceMs, () => {
      socket.destroy(new Error(`no answer within ${patienceMs / 1000} s`));
    });
    socket.once(event, () => {
      socket.off("error", fail);
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}

/**
 * The alert of a server with another key: that of OpenSSL 3.5 (Node 24), and that of 3.0 (Node 22). Versions also differ in the
 * names that they give to alerts: SSLV3_ALERT_…, SSL/TLS_ALERT_….
 */
const otherKey = /_ALERT_(DECRYPT_ERROR|ILLEGAL_PARAMETER)$/;

/** OpenSSL's own words name places in its sources. */
function inWords(error: Error): Error {
  const code = "code" in error ? String(error.code) : "";
  if (otherKey.test(code)) return new InvalidInput([hasOtherToken], { cause: error });
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

/** The longest sentence of a coordinator. */
const mostSentence = 1000;

async function readRefusal(response: IncomingMessage): Promise<Error> {
  let sentence = "";
  for await (const chunk of response.setEncoding("utf8")) {
    sentence += String(chunk);
    if (sentence.length > mostSentence) break;
  }
  const { statusCode } = response;
  if (statusCode === 401 || statusCode === 409) return new InvalidInput([sentence]);
  return new Error(`it answered with status ${statusCode}, as no coordinator of bearhug does`);
}
