import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";

import type { ValidatedHttp } from "@bearhug/sdk";

import type { Clock } from "../../pacing/clock.ts";
import { TransportFailure } from "../failures/transport-failure.ts";
import type { AddressBook } from "./address-book.ts";
import type { HostAddress } from "./choose-address.ts";
import { addressUnavailable, dialTcp, type DialedSocket, type DialTarget } from "./dial-tcp.ts";
import { NameLookUpError } from "./look-up.ts";
import type { LocalAddresses } from "./local-addresses.ts";
import type {
  ConnectPhases,
  OpeningConnection,
  OpeningOptions,
  Outcome,
  Peer,
} from "./opening-connection.ts";
import type { Origin } from "./origin.ts";
import { openTunnel, type Proxy } from "./proxy-tunnel.ts";
import { shakeHands, tlsOf } from "./shake-hands.ts";

/** What all connections of a worker under the same settings have in common. */
export interface DialRules {
  readonly settings: Pick<ValidatedHttp, "protocol" | "tls" | "unixSocket">;
  readonly clock: Clock;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  readonly addresses: AddressBook;
  readonly from: LocalAddresses;
  readonly proxy: Proxy | null;
  readonly context: SecureContext;
  needsTunnel(origin: Origin): boolean;
}

const nothing = (): void => undefined;

/** One connection on its way, a step after another. */
export class Opening implements OpeningConnection {
  readonly phases: ConnectPhases = { lookingUp: 0, connecting: 0, tlsHandshaking: 0 };
  phase: keyof ConnectPhases = "lookingUp";
  raw: Socket | null = null;
  peer: Peer | null = null;
  alpn: "h2" | "http/1.1" | null = null;
  waitsForProxy: string | null;
  readonly isShared: boolean;
  readonly #rules: DialRules;
  readonly #origin: Origin;
  readonly #options: OpeningOptions;
  readonly #done: Outcome<Socket>;
  #remote: DialedSocket["remote"] = null;
  #isOver = false;
  /** When the phase began, by the clock. */
  #since: number;
  #stop: () => void = nothing;

  constructor(rules: DialRules, origin: Origin, options: OpeningOptions, done: Outcome<Socket>) {
    this.#rules = rules;
    this.#origin = origin;
    this.#options = options;
    this.#done = done;
    const { proxy, settings } = rules;
    this.#since = rules.clock.now();
    this.waitsForProxy = proxy?.address ?? null;
    this.isShared = options.reader !== null && !rules.needsTunnel(origin);
    if (settings.protocol === "http2" && !origin.isSecure)
      process.nextTick(() => this.#refuse(plain(origin)));
    else if (settings.unixSocket === null) this.#lookUp(proxy ?? origin);
    else this.#dial({ path: settings.unixSocket });
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stop();
  }

  /** Without having tried. */
  #refuse(error: Error): void {
    if (!this.#isOver) this.#fail(error);
  }

  #lookUp({ host, port }: Pick<Origin, "host" | "port">): void {
    const { addresses } = this.#rules;
    const known = addresses.known(host, port);
    if (known !== null) {
      if (known.length > 0) this.#dial(this.#target(known));
      else
        process.nextTick(() => this.#refuse(new NameLookUpError(host, "hosts under dns.policy", "ENODATA")));
      return;
    }
    this.#stop = addresses.find(host, (error, found) => {
      this.#stamp("lookingUp");
      if (error === null) this.#dial(this.#target(found));
      else this.#fail(error);
    });
  }

  #target(addresses: readonly HostAddress[]): DialTarget {
    const { proxy, from } = this.#rules;
    return { port: (proxy ?? this.#origin).port, addresses, from };
  }

  #dial(target: DialTarget): void {
    this.phase = "connecting";
    const { onOpen, onClose } = this.#rules;
    this.#stop = dialTcp(target, this.isShared ? this.#options.reader : null, (error, dialed) => {
      if (error !== null) {
        this.#stamp("connecting");
        this.#fail(error);
        return;
      }
      const { socket, remote } = dialed;
      this.raw = socket;
      this.#remote = remote;
      onOpen();
      socket.once("close", onClose);
      this.#connected(socket);
    });
  }

  #connected(socket: Socket): void {
    const { proxy } = this.#rules;
    const isTunnelled = proxy !== null && this.#rules.needsTunnel(this.#origin);
    if (!isTunnelled) {
      this.#stamp("connecting");
      this.#reached(socket);
      return;
    }
    this.#stop = openTunnel(socket, this.#origin, proxy, (error) => {
      this.#stamp("connecting");
      if (error === null) this.#reached(socket);
      else this.#fail(error);
    });
  }

  #reached(socket: Socket): void {
    this.waitsForProxy = null;
    if (this.#origin.isSecure) this.#shakeHands(socket);
    else this.#open(socket, null);
  }

  #shakeHands(raw: Socket): void {
    this.phase = "tlsHandshaking";
    const { settings } = this.#rules;
    const sessions = settings.tls.resumeSessions ? this.#options.sessions : null;
    let context;
    try {
      ({ context } = this.#rules);
    } catch (error) {
      raw.destroy();
      this.#finish(error instanceof Error ? error : new Error(String(error)), null);
      return;
    }
    this.#stop = shakeHands(raw, { origin: this.#origin, settings, context, sessions }, (error, socket) => {
      this.#stamp("tlsHandshaking");
      if (error !== null) {
        this.#finish(error, null);
        return;
      }
      const { alpnProtocol } = socket;
      this.alpn = alpnProtocol === "h2" || alpnProtocol === "http/1.1" ? alpnProtocol : null;
      this.#open(socket, tlsOf(socket));
    });
  }

  #open(socket: Socket, tls: Peer["tls"]): void {
    this.peer = { remoteAddress: this.#remote?.host ?? null, remotePort: this.#remote?.port ?? null, tls };
    this.#finish(null, socket);
  }

  #stamp(phase: keyof ConnectPhases): void {
    const now = this.#rules.clock.now();
    this.phases[phase] = now - this.#since;
    this.#since = now;
  }

  #fail(error: Error): void {
    this.#finish(this.waitsForProxy === null ? error : blameProxy(error, this.waitsForProxy), null);
  }

  #finish(...result: Parameters<Outcome<Socket>>): void {
    this.#isOver = true;
    this.#stop = nothing;
    this.#done(...result);
  }
}

function plain({ text }: Origin): TransportFailure {
  const reason = `HTTP/2 is negotiated in TLS, but ${text} has no TLS: if the server speaks HTTP/2 without it, set protocol "h2c"`;
  return new TransportFailure({ kind: "notNegotiated", reason });
}

/** What this machine lacks is nobody else's fault. */
const ownCodes = new Set(["EADDRNOTAVAIL", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", addressUnavailable]);

function blameProxy(error: Error, address: string): Error {
  if (error instanceof TransportFailure) return error;
  const cause = "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (cause !== undefined && ownCodes.has(cause)) return error;
  return new TransportFailure({
    kind: "proxy",
    reason: `the proxy ${address}: ${error.message}`,
    ...(cause === undefined ? {} : { cause }),
  });
}
