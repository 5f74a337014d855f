import { BlockList, isIP } from "node:net";

import type { ForeignText } from "../foreign-text.ts";
import { told } from "../foreign-text.ts";
import { ConnectFailure } from "./connect-failure.ts";
import { addressUnavailable } from "./dial-tcp.ts";

/** A proxy, as it is dialled and named. */
export interface Proxy {
  /** `socks5h` looks hosts up itself; for `socks5` the engine does. */
  readonly kind: "http" | "https" | "socks5" | "socks5h";
  /** Without the brackets of an IPv6 literal. */
  readonly host: string;
  readonly port: number;
  /** For people: never with its password. */
  readonly address: string;
  /** Null where nobody need say who asks. */
  readonly login: { readonly user: string; readonly password: string } | null;
  /** The value of `proxy-authorization`, for an HTTP proxy that wants to know who asks. */
  readonly authorization: string | null;
}

const defaultPorts = { http: 80, https: 443, socks5: 1080, socks5h: 1080 } as const;

/** Reads `http://user:password@host:port`, which is known to be one. */
export function readProxy(text: string): Proxy {
  const url = new URL(text);
  const kind = kinds.find((one) => url.protocol === `${one}:`) ?? "http";
  const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  const login = user === "" && password === "" ? null : { user, password };
  return {
    kind,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? defaultPorts[kind] : Number(url.port),
    address: url.host,
    login,
    authorization: login === null ? null : `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
  };
}

const kinds = ["http", "https", "socks5", "socks5h"] as const;

/** A failure that is the proxy's fault; `status` is its answer to CONNECT. */
export function proxyFailure(
  { address }: Pick<Proxy, "address">,
  what: string | ForeignText,
  status: number | null = null,
): ConnectFailure {
  return new ConnectFailure({
    kind: "proxy",
    reason: told`the proxy ${address} ${what}`,
    ...(status === null ? {} : { status }),
  });
}

/** Returns a function that is true for hosts which are reached without the proxy, by curl's rules for `NO_PROXY`. */
export function hostsWithoutProxy(entries: readonly string[]): (host: string) => boolean {
  if (entries.length === 0) return () => false;
  const names: string[] = [];
  const addresses = new BlockList();
  for (const entry of entries.map((text) => text.toLowerCase())) {
    const [, address = "", bits] = /^\[?([^/\]]*)\]?(?:\/(\d+))?$/.exec(entry) ?? [];
    const family = isIP(address);
    if (family === 0) names.push(entry.replace(/^\./, "").replace(/\.$/, ""));
    else if (bits === undefined) addresses.addAddress(address, familyName(family));
    else addresses.addSubnet(address, Number(bits), familyName(family));
  }
  return (host) => {
    const family = isIP(host);
    if (names.includes("*")) return true;
    if (family !== 0) return addresses.check(host, familyName(family));
    const name = host.toLowerCase().replace(/\.$/, "");
    return names.some((known) => name === known || name.endsWith(`.${known}`));
  };
}

function familyName(family: number): "ipv4" | "ipv6" {
  return family === 6 ? "ipv6" : "ipv4";
}

/** Errors of this machine, which are not the proxy's fault. */
const ownCodes = new Set(["EADDRNOTAVAIL", "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", addressUnavailable]);

/** An error of a connection that was to be a proxy's. */
export function blameProxy(error: Error, address: string): Error {
  if (error instanceof ConnectFailure) return error;
  const cause = "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (cause !== undefined && ownCodes.has(cause)) return error;
  return new ConnectFailure({
    kind: "proxy",
    reason: `the proxy ${address}: ${error.message}`,
    ...(cause === undefined ? {} : { cause }),
  });
}
