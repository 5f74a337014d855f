import type { NetConnectOpts, Socket } from "node:net";
import { networkInterfaces } from "node:os";

import type { Clock } from "@bearhug/plan/pacing/clock";

import type { HostAddress, LocalAddresses } from "./choose-address.ts";
import type { OnOpened } from "./opening-connection.ts";

/** The source address is not one of this machine's, or the machine has none of the target's family. */
export const addressUnavailable = "BEARHUG_ADDRESS_UNAVAILABLE";

/** No TCP connection could be opened. `code` is the system's, or our own if the system's would mislead. */
export class DialError extends Error {
  override readonly name = "DialError";
  readonly code: string;
  /** The addresses that were tried, in order. */
  readonly tried: readonly string[];
  constructor(message: string, code: string, tried: readonly string[]) {
    super(message);
    this.code = code;
    this.tried = tried;
  }
}

/** Addresses to dial, in the order in which to try them. */
export type DialTarget =
  | { readonly path: string }
  | { readonly port: number; readonly addresses: readonly HostAddress[]; readonly from: LocalAddresses };

/** A TCP connection, or one to a unix socket. */
export interface DialedSocket {
  readonly socket: Socket;
  /** The address that accepted; null for a unix socket. */
  readonly remote: { readonly host: string; readonly port: number } | null;
}

/** Dependencies for opening one TCP connection. */
export interface DialOptions {
  /** Creates a socket, and begins to connect it. */
  readonly connect: (endpoint: NetConnectOpts) => Socket;
  readonly clock: Clock;
}

/** Delay before an address of the other family is tried as well (RFC 8305, section 5), in ms. */
const headStartMs = 250;

/**
 * Opens a TCP connection, or one to a unix socket. Addresses of one family are tried in turn, each after the
 * one before has refused. If the first does not respond, one of the other family is tried at the same time,
 * and the first to accept wins. `done` is called later, once, unless the returned function cancels the
 * attempt.
 */
export function dialTcp(
  target: DialTarget,
  { connect, clock }: DialOptions,
  done: OnOpened<DialedSocket>,
): () => void {
  const queue = [...attemptsOf(target)];
  const pending = new Map<Attempt, Socket>();
  const failures: Failure[] = [];
  let cancelTimer = nothing;
  let isOver = false;
  const stop = (): void => {
    isOver = true;
    cancelTimer();
    for (const socket of pending.values()) socket.destroy();
  };
  const start = (attempt: Attempt): void => {
    queue.splice(queue.indexOf(attempt), 1);
    const socket = dialOnce(attempt, connect, (error, connected) => {
      if (isOver) return;
      pending.delete(attempt);
      if (error === null) {
        stop();
        done(null, { socket: connected, remote: "path" in attempt ? null : attempt });
      } else {
        failures.push({ attempt, error, code: codeOf(error, attempt) });
        goOn();
      }
    });
    pending.set(attempt, socket);
    cancelTimer();
    if (rivalOf(pending, queue) === undefined) return;
    cancelTimer = clock.at(clock.now() + headStartMs, () => {
      const rival = rivalOf(pending, queue);
      if (rival !== undefined) start(rival);
    });
  };
  const goOn = (): void => {
    if (isOver) return;
    const next = pending.size === 0 ? queue[0] : rivalOf(pending, queue);
    if (next !== undefined && failures.every(isRefusal)) start(next);
    else if (pending.size === 0) {
      stop();
      done(failureOf(failures, target, queue.length === 0), null);
    }
  };
  // `done` must not be called before the caller has the returned function.
  if (queue.length > 0) goOn();
  else process.nextTick(goOn);
  return stop;
}

function isRefusal({ code }: Failure): boolean {
  return refusals.has(code);
}

function failureOf(failures: readonly Failure[], target: DialTarget, areAllTried: boolean): DialError {
  const fatal = areAllTried ? undefined : failures.find((failure) => !isRefusal(failure));
  if (fatal === undefined) return summarize(failures, target);
  return new DialError(fatal.error.message, fatal.code, failures.map(addressOf));
}

/** Returns the first queued address whose family is not being tried yet. */
function rivalOf(pending: ReadonlyMap<Attempt, Socket>, queue: readonly Attempt[]): Attempt | undefined {
  const families = new Set([...pending.keys()].map(familyOf));
  return queue.find((attempt) => !families.has(familyOf(attempt)));
}

function familyOf(attempt: Attempt): 4 | 6 | null {
  return "path" in attempt ? null : attempt.family;
}

const nothing = (): void => undefined;

type Attempt =
  | { readonly path: string }
  | {
      readonly host: string;
      readonly family: 4 | 6;
      readonly port: number;
      readonly localAddress: string | null;
    };

interface Failure {
  readonly attempt: Attempt;
  readonly error: Error;
  readonly code: string;
}

/** Immediate failures after which another address of the host may succeed. */
const refusals = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EAFNOSUPPORT",
  addressUnavailable,
]);

function attemptsOf(target: DialTarget): readonly Attempt[] {
  if ("path" in target) return [target];
  const { addresses, port, from } = target;
  return addresses.flatMap(({ address, family, port: ownPort = port }) => {
    const localAddress = from.areChosen ? from.next(family) : null;
    return from.areChosen && localAddress === null
      ? []
      : [{ host: address, family, port: ownPort, localAddress }];
  });
}

function dialOnce(attempt: Attempt, connect: DialOptions["connect"], done: OnOpened<Socket>): Socket {
  const socket = connect(endpointOf(attempt));
  const fail = (error: NodeJS.ErrnoException): void => {
    socket.destroy();
    done(error, null);
  };
  // Keeps an error from ending the process while the socket has no other listener.
  socket.on("error", ignore);
  socket.once("error", fail);
  // Prepended so that connecting ends before a TLS socket, which dials by itself, begins its handshake.
  socket.prependOnceListener("connect", () => {
    socket.off("error", fail);
    done(null, socket);
  });
  return socket;
}

function endpointOf(attempt: Attempt): NetConnectOpts {
  if ("path" in attempt) return { path: attempt.path };
  const { host, family, port, localAddress } = attempt;
  return {
    host,
    port,
    family,
    noDelay: true,
    autoSelectFamily: false,
    ...(localAddress === null ? {} : { localAddress }),
  };
}

const ignore = (): void => undefined;

/** Returns the system's code, or a clearer one where the system's is misleading. */
function codeOf(error: NodeJS.ErrnoException, attempt: Attempt): string {
  const code = error.code ?? error.name;
  // A path that is too long for a socket cannot exist.
  if ("path" in attempt) return code === "EINVAL" ? "ENOENT" : code;
  if (attempt.localAddress === null) {
    // Linux also reports this code if the machine has no IPv6.
    return code === "EADDRNOTAVAIL" && attempt.family === 6 && !hasFamily(6) ? addressUnavailable : code;
  }
  if (error.syscall === "bind") return isOfThisMachine(attempt.localAddress) ? code : addressUnavailable;
  // A socket bound to an address gets its port before its target is known: here no port is free.
  return code === "EADDRINUSE" ? "EADDRNOTAVAIL" : code;
}

function hasFamily(family: 4 | 6): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some((address) => address.family === `IPv${family}`),
  );
}

function isOfThisMachine(localAddress: string): boolean {
  return Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === localAddress),
  );
}

function summarize(failures: readonly Failure[], target: DialTarget): DialError {
  // A refused connection is more informative than a missing route to another address.
  const reported = failures.find(({ code }) => code === "ECONNREFUSED") ?? failures[0];
  if (reported === undefined) {
    const addresses = "path" in target ? [] : target.addresses.map(({ address }) => address);
    return new DialError(
      `none of localAddresses is of the family of ${addresses.join(", ")}`,
      addressUnavailable,
      addresses,
    );
  }
  const tried = failures.map(addressOf);
  const others = tried.length > 1 ? ` (tried ${tried.join(", ")})` : "";
  return new DialError(reported.error.message + others, reported.code, tried);
}

function addressOf({ attempt }: Failure): string {
  return "path" in attempt ? attempt.path : attempt.host;
}
