import { isIP } from "node:net";

import { proxyFailure, type Proxy } from "./proxy.ts";
import type { ConnectFailure } from "./connect-failure.ts";
import type { ProxyDialogue } from "./proxy-dialogue.ts";

/** The target of a tunnel: a name that the proxy looks up, or an address. */
export interface TunnelEnd {
  readonly host: string;
  readonly port: number;
}

/** One message to the proxy, and how to read its reply. */
interface Step {
  readonly message: Buffer;
  /** Returns the length of the reply in bytes; null if more bytes are needed to know it. */
  lengthOf(reply: Buffer): number | null;
  next(reply: Buffer): Step | ConnectFailure | "open";
}

/** How to open a tunnel through a SOCKS5 proxy (RFC 1928; user and password by RFC 1929). */
export function socksDialogue(end: TunnelEnd, proxy: Proxy): ProxyDialogue {
  let step = greeting(end, proxy);
  return {
    greeting: step.message,
    readReply: (received) => {
      const used = step.lengthOf(received);
      if (used === null || received.length < used) return null;
      const next = step.next(received);
      if (next instanceof Error) return next;
      if (next === "open") return { used, message: null };
      step = next;
      return { used, message: step.message };
    },
    closed: () => proxyFailure(proxy, "closed the connection"),
  };
}

const version = 5;
const noLogin = 0;
const userAndPassword = 2;

function greeting(end: TunnelEnd, proxy: Proxy): Step {
  const methods = proxy.login === null ? [noLogin] : [noLogin, userAndPassword];
  return {
    message: Buffer.from([version, methods.length, ...methods]),
    lengthOf: () => 2,
    next: (reply) => {
      if (reply[0] !== version) return notSocks(proxy);
      if (reply[1] === noLogin) return request(end, proxy);
      if (reply[1] === userAndPassword && proxy.login !== null) return login(end, proxy, proxy.login);
      const what =
        proxy.login === null ? "accepts no client without a user and password" : "takes no user and password";
      return loginFailure(proxy, what);
    },
  };
}

function login(end: TunnelEnd, proxy: Proxy, { user, password }: NonNullable<Proxy["login"]>): Step {
  return {
    message: Buffer.concat([Buffer.of(1), counted(user), counted(password)]),
    lengthOf: () => 2,
    next: (reply) =>
      reply[1] === 0 ? request(end, proxy) : loginFailure(proxy, "refused the user and password"),
  };
}

function request({ host, port }: TunnelEnd, proxy: Proxy): Step {
  const portBytes = Buffer.of(port >> 8, port & 0xff);
  return {
    message: Buffer.concat([Buffer.of(version, 1, 0), addressBytes(host), portBytes]),
    lengthOf: (reply) => {
      const address = addressLength(reply);
      return address === null ? null : 4 + address + 2;
    },
    next: (reply) => {
      if (reply[0] !== version) return notSocks(proxy);
      const [, code = 0] = reply;
      if (code === 0) return "open";
      return proxyFailure(
        proxy,
        `did not connect: ${replies[code] ?? `SOCKS5 reply ${code}`}`,
        connectFailed,
      );
    },
  };
}

/** Returns the length of a reply's address; 0 for an unknown type, so that the reply's code is reported. */
function addressLength(reply: Buffer): number | null {
  if (reply.length < 5) return reply.length > 1 && reply[0] !== version ? 0 : null;
  const lengths: Readonly<Record<number, number>> = { 1: 4, 3: 1 + (reply[4] ?? 0), 4: 16 };
  return lengths[reply[3] ?? 0] ?? 0;
}

function addressBytes(host: string): Buffer {
  const family = isIP(host);
  if (family === 4) return Buffer.from([1, ...host.split(".").map(Number)]);
  if (family === 6) return Buffer.concat([Buffer.of(4), ipv6Bytes(host)]);
  return Buffer.concat([Buffer.of(3), counted(host)]);
}

function ipv6Bytes(address: string): Buffer {
  // The URL parser writes an embedded IPv4 address as two groups.
  const [, canonical = ""] = /^\[(.*)\]$/.exec(new URL(`http://[${address}]`).hostname) ?? [];
  const [head = "", tail] = canonical.split("::");
  const groupsOf = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [first, last] = [groupsOf(head), groupsOf(tail ?? "")];
  const groups = [...first, ...Array.from({ length: 8 - first.length - last.length }, () => 0), ...last];
  return Buffer.from(groups.flatMap((group) => [group >> 8, group & 0xff]));
}

function counted(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.of(bytes.length), bytes]);
}

/** The statuses of an HTTP proxy for an unreachable host, and for missing credentials. */
const connectFailed = 502;
const loginRequired = 407;

function loginFailure(proxy: Proxy, what: string): ConnectFailure {
  return proxyFailure(proxy, what, loginRequired);
}

function notSocks(proxy: Proxy): ConnectFailure {
  return proxyFailure(proxy, "answered with something that is not SOCKS5");
}

const replies: Readonly<Record<number, string>> = {
  1: "general failure",
  2: "its rules do not allow it",
  3: "network unreachable",
  4: "host unreachable",
  5: "connection refused",
  6: "time to live expired",
  7: "it cannot do this (command not supported)",
  8: "it does not know this kind of address",
};
