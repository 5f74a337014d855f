import { isIP, type Socket } from "node:net";
import {
  checkServerIdentity,
  connect,
  type ConnectionOptions,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from "node:tls";

import type { TlsInfo } from "@bearhug/sdk";

import { ConnectFailure } from "./connect-failure.ts";
import type { OnOpened } from "./opening-connection.ts";
import type { DialSettings, Negotiation } from "./dial-settings.ts";
import { type Origin, withoutRootDot } from "./origin.ts";
import type { TlsSessions } from "./tls-sessions.ts";
import type { WireCounters } from "./wire-counters.ts";

/** The server aborted the handshake after it had agreed on a cipher: it rejects the client. */
export const clientRefused = "BEARHUG_TLS_CLIENT_REFUSED";

/** OpenSSL's code for the alert. It only points to the ciphers if the server has sent nothing before it. */
export const handshakeFailure = "ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE";

/** The parts of one handshake. */
export interface Handshake {
  readonly origin: Origin;
  readonly settings: Pick<DialSettings, "negotiation" | "tls">;
  readonly context: SecureContext;
  /** Keeps sessions for resumption; null: they are not kept. */
  readonly sessions: TlsSessions | null;
}

/** The size of a lone alert: two bytes, after the five of its record header. */
const alertBytes = 7;

/** Does a TLS handshake. `done` is called later, once, unless the returned function cancels it. */
export function shakeHands(raw: Socket, handshake: Handshake, done: OnOpened<TLSSocket>): () => void {
  const socket = connect({ socket: raw, ...handshakeOptions(handshake) });
  return awaitHandshake({ socket, raw, wire: raw }, handshake, done);
}

/** Returns the name that the certificate must be for. */
export function serverName({ origin, settings }: Handshake): string {
  return withoutRootDot(settings.tls.serverName ?? origin.host);
}
/** The options of `tls.connect`. */
export function handshakeOptions(handshake: Handshake): ConnectionOptions {
  const { origin, settings, context, sessions } = handshake;
  const name = serverName(handshake);
  const session = sessions?.get(origin.text);
  return {
    secureContext: context,
    ALPNProtocols: [...settings.negotiation.offers],
    host: name,
    // A server name must not be an address (RFC 6066, section 3).
    ...(isIP(name) === 0 ? { servername: name } : {}),
    rejectUnauthorized: !settings.tls.insecureSkipTlsVerify,
    checkServerIdentity: (_host, certificate) => compareNames(name, certificate),
    ...(session === undefined ? {} : { session }),
  };
}

/** A connection on which the TLS handshake runs. */
interface TlsConnection {
  readonly socket: TLSSocket;
  /** The TCP socket below it, or itself. */
  readonly raw: Socket;
  readonly wire: WireCounters;
}

/** Waits for the handshake. `done` is called later, once, unless the returned function cancels it. */
export function awaitHandshake(
  { socket, raw, wire }: TlsConnection,
  { origin, settings, sessions }: Handshake,
  done: OnOpened<TLSSocket>,
): () => void {
  const bytesBefore = wire.bytesRead;
  const stop = (): void => {
    socket.off("error", fail).off("close", close).off("secureConnect", shaken);
  };
  const fail = (error: Error): void => {
    stop();
    socket.destroy();
    raw.destroy();
    sessions?.forget(origin.text);
    done(explain(error, wire.bytesRead - bytesBefore), null);
  };
  const close = (): void => fail(closed());
  const shaken = (): void => {
    const problem = missingProtocol(socket.alpnProtocol, settings.negotiation);
    if (problem !== null) {
      fail(problem);
      return;
    }
    stop();
    done(null, socket);
  };
  // Keeps an error from ending the process while the socket has no other listener.
  socket.on("error", ignore);
  socket.on("error", fail).on("close", close).on("secureConnect", shaken);
  // In TLS 1.3 the server may send several sessions, at any time.
  if (sessions !== null) socket.on("session", (ticket: Buffer) => sessions.keep(origin.text, ticket));
  return () => {
    stop();
    socket.destroy();
    raw.destroy();
  };
}

/** Returns the version and cipher that a finished handshake has negotiated. */
export function tlsOf(socket: TLSSocket): TlsInfo | null {
  const version = versionNames[socket.getProtocol() ?? ""];
  return version === undefined ? null : { version, cipher: socket.getCipher().name };
}

const versionNames: Readonly<Record<string, TlsInfo["version"]>> = {
  TLSv1: "1.0",
  "TLSv1.1": "1.1",
  "TLSv1.2": "1.2",
  "TLSv1.3": "1.3",
};

const ignore = (): void => undefined;

function missingProtocol(
  negotiated: string | false | null,
  { required }: Negotiation,
): ConnectFailure | null {
  if (required === null || negotiated === required.id) return null;
  const instead = typeof negotiated === "string" ? JSON.stringify(negotiated) : "no protocol";
  return new ConnectFailure({
    kind: "notNegotiated",
    reason: `the test requires ${required.name}, but the server negotiated ${instead} (ALPN)`,
  });
}

function closed(): ConnectFailure {
  return new ConnectFailure({
    kind: "closed",
    reason: "the connection was closed during the TLS handshake",
  });
}

/** Returns a readable error: Node's messages for OpenSSL errors name locations in its source. */
function explain(error: NodeJS.ErrnoException, bytesReceived: number): Error {
  if (error.code === "ECONNRESET" && error.syscall === undefined) return closed();
  if (error.code === handshakeFailure && bytesReceived > alertBytes) {
    return Object.assign(
      new Error(
        "the server ended the handshake after it saw the client's certificate, or that there was none",
      ),
      {
        code: clientRefused,
      },
    );
  }
  if (error.code?.startsWith("ERR_SSL_") === true && "reason" in error && typeof error.reason === "string") {
    error.message = error.reason;
  }
  return error;
}

/** Checks the certificate's names like Node, but lists them in the error. */
function compareNames(host: string, certificate: PeerCertificate): Error | undefined {
  const error = checkServerIdentity(host, certificate);
  if (error === undefined) return undefined;
  const names = certificate.subjectaltname ?? [certificate.subject.CN].flat().join(", ");
  error.message = `the certificate is not for ${host}, but for ${names}`;
  return error;
}
