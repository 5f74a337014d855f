import type { IncomingMessage } from "node:http";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";

import { WebSocket } from "ws";

import { InvalidInput } from "../../invalid-input.ts";
import { version } from "../../version.ts";
import {
  connect,
  mostFromCoordinatorBytes,
  versionHeader,
  type Connection,
  type ConnectionEvents,
} from "./connection.ts";
import { readFingerprint } from "./fingerprint.ts";
import { showToken } from "./token.ts";

/** The coordinator of an agent, and how the two know each other. */
export interface Destination {
  readonly url: URL;
  readonly token: string;
  /** SHA-256 of the coordinator's certificate, in hexadecimal digits; null to verify it as a browser does. */
  readonly fingerprint: string | null;
}

/** Opens a connection; rejects if there is none. */
export type Dial = (events: ConnectionEvents) => Promise<Connection>;

const patienceMs = 10_000;

/**
 * Connects to a coordinator, which is shown the token only when its certificate is known to be the right one.
 * @throws {InvalidInput} where trying again would not help: one sentence
 */
export async function dialCoordinator(
  { url, token, fingerprint }: Destination,
  events: ConnectionEvents,
): Promise<Connection> {
  const socket = await openSocket(url, fingerprint);
  const webSocket = new WebSocket(url, {
    createConnection: () => socket,
    headers: { authorization: showToken(token), [versionHeader]: version },
    ...{ perMessageDeflate: false, maxPayload: mostFromCoordinatorBytes, handshakeTimeout: patienceMs },
  });
  await opened(webSocket);
  return connect(webSocket, events);
}

async function openSocket({ protocol, hostname, port }: URL, fingerprint: string | null): Promise<Socket> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const isSecure = protocol === "wss:";
  const address = { host, port: Number(port === "" ? (isSecure ? 443 : 80) : port) };
  if (!isSecure) return connected(connectTcp(address), "connect");
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = connectTls({ ...address, ...name, rejectUnauthorized: fingerprint === null });
  await connected(socket, "secureConnect");
  if (fingerprint !== null) verify(socket, fingerprint);
  return socket;
}

function verify(socket: TLSSocket, fingerprint: string): void {
  const certificate = socket.getPeerX509Certificate();
  const found = certificate === undefined ? null : readFingerprint(certificate);
  if (found === fingerprint) return;
  socket.destroy();
  throw new InvalidInput([
    `The coordinator's certificate has the fingerprint ${found ?? "none"}, not ${fingerprint}: this is another machine. Check --join and --fingerprint.`,
  ]);
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

/** OpenSSL's own words name places in its sources. */
function inWords(error: Error): Error {
  const code = "code" in error ? String(error.code) : "";
  if (code === "DEPTH_ZERO_SELF_SIGNED_CERT" || code === "SELF_SIGNED_CERT_IN_CHAIN")
    return new InvalidInput([
      "The coordinator has a self-signed certificate. Add --fingerprint, as the coordinator prints it.",
    ]);
  if (!code.startsWith("ERR_SSL_")) return error;
  return new Error("it does not speak TLS; join at the address that the coordinator prints", {
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
