import type { LookupAddress } from "node:dns";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, createSecureContext, type SecureContext, type TLSSocket } from "node:tls";

import type { Clock } from "../../pacing/clock.ts";
import type { NameResolver } from "./name-resolver.ts";

/** Where connections of one scheme, host and port go. */
export interface Origin {
  readonly isSecure: boolean;
  /** Without the brackets of an IPv6 literal. */
  readonly host: string;
  readonly port: number;
  /** As in a URL: `https://shop.example:8443`. */
  readonly text: string;
}

/** How long the parts of opening a connection took, in ms. */
export interface ConnectPhases {
  lookingUp: number;
  connecting: number;
  tlsHandshaking: number;
}

/** What opening connections needs, shared by all of a worker. */
export interface ConnectDependencies {
  readonly clock: Clock;
  readonly resolver: NameResolver;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** A connection being opened; `raw` is the TCP socket, whose counters are wire bytes. */
export interface OpeningConnection {
  readonly phases: ConnectPhases;
  /** The phase in which it stands, for the error when it fails. */
  phase: "lookingUp" | "connecting" | "tlsHandshaking";
  raw: Socket | null;
  cancel(): void;
}

type Connected = (error: Error | null, socket: Socket | TLSSocket | null) => void;

let sharedContext: SecureContext | null = null;

/** Resolves, connects and shakes hands, stamping each part; `done` is called exactly once unless it is cancelled. */
export function openConnection(
  origin: Origin,
  dependencies: ConnectDependencies,
  done: Connected,
): OpeningConnection {
  const { clock, resolver } = dependencies;
  const phases: ConnectPhases = { lookingUp: 0, connecting: 0, tlsHandshaking: 0 };
  let isOver = false;
  const finish: Connected = (error, socket) => {
    if (isOver) return;
    isOver = true;
    done(error, socket);
  };
  const opening: OpeningConnection = {
    phases,
    phase: "lookingUp",
    raw: null,
    cancel() {
      isOver = true;
      opening.raw?.destroy();
    },
  };
  const startedAt = clock.now();
  const addresses = resolver.resolve(origin.host, startedAt);
  const dial = (found: LookupAddress[] | null): void => {
    if (isOver) return;
    const dialledAt = clock.now();
    if (found !== null) phases.lookingUp = dialledAt - startedAt;
    opening.phase = "connecting";
    dialTcp(origin, found, opening, dependencies, finish, () => {
      const connectedAt = clock.now();
      phases.connecting = connectedAt - dialledAt;
      if (isOver || opening.raw === null) return;
      if (!origin.isSecure) {
        finish(null, opening.raw);
        return;
      }
      opening.phase = "tlsHandshaking";
      shakeHands(origin, opening.raw, finish, () => {
        phases.tlsHandshaking = clock.now() - connectedAt;
      });
    });
  };
  if (addresses === null) dial(null);
  else
    addresses.then(dial, (error: unknown) => {
      finish(error instanceof Error ? error : new Error(String(error)), null);
    });
  return opening;
}

function dialTcp(
  { host, port }: Origin,
  addresses: LookupAddress[] | null,
  opening: OpeningConnection,
  { onOpen, onClose }: ConnectDependencies,
  finish: Connected,
  connected: () => void,
): void {
  const socket = connectTcp({
    host,
    port,
    noDelay: true,
    // Already resolved: net asks here and gets the cached answer at once.
    ...(addresses === null
      ? {}
      : {
          lookup: (_host, options, answer) => {
            answerLookup(addresses, options.all === true, answer);
          },
        }),
  });
  opening.raw = socket;
  socket.on("error", (error) => {
    finish(error, null);
  });
  socket.once("connect", () => {
    onOpen();
    socket.once("close", onClose);
    connected();
  });
}

type LookupAnswer = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

function answerLookup(addresses: LookupAddress[], wantsAll: boolean, answer: LookupAnswer): void {
  const [first] = addresses;
  if (wantsAll || first === undefined) answer(null, addresses);
  else answer(null, first.address, first.family);
}

function shakeHands(origin: Origin, raw: Socket, finish: Connected, shaken: () => void): void {
  sharedContext ??= createSecureContext();
  const socket = connectTls({
    socket: raw,
    secureContext: sharedContext,
    ALPNProtocols: ["http/1.1"],
    // A server name must not be an address (RFC 6066, section 3).
    ...(isIP(origin.host) === 0 ? { servername: origin.host } : {}),
    host: origin.host,
  });
  socket.once("secureConnect", () => {
    shaken();
    finish(null, socket);
  });
  socket.on("error", (error: Error) => {
    raw.destroy();
    finish(error, null);
  });
  raw.once("close", () => {
    finish(
      Object.assign(new Error("the connection was closed during the TLS handshake"), { code: "ECONNRESET" }),
      null,
    );
  });
}
