import { BlockList, isIP } from "node:net";

import { readDirectHosts } from "@bearhug/sdk/internal";
import type { ForeignText } from "@bearhug/text/foreign-text";
import { told } from "@bearhug/text/foreign-text";

import { ConnectFailure } from "./connect-failure.ts";
import { addressUnavailable } from "./dial-tcp.ts";
import type { Origin } from "./origin.ts";

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

/** Reads the address of a proxy, which is known to be one and has a scheme. */
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

/** Returns a function that is true for origins which are reached without the proxy, by the entries of `noProxy`. */
export function hostsWithoutProxy(
  entries: readonly string[],
): (origin: Pick<Origin, "host" | "port">) => boolean {
  const direct = entries.flatMap((entry) => readDirectHosts(entry) ?? []);
  const rules = direct.map(({ host, prefixBits, isNameIncluded, port }) => {
    const isNamed = isIP(host) === 0 ? namedBy(host, isNameIncluded) : addressedBy(host, prefixBits);
    return (origin: Pick<Origin, "host" | "port">) =>
      (port === null || port === origin.port) && isNamed(origin.host.toLowerCase().replace(/\.$/, ""));
  });
  return (origin) => rules.some((isDirect) => isDirect(origin));
}

function namedBy(name: string, isIncluded: boolean): (host: string) => boolean {
  if (name === "*") return () => true;
  return (host) => isIP(host) === 0 && ((isIncluded && host === name) || host.endsWith(`.${name}`));
}

function addressedBy(address: string, prefixBits: number | null): (host: string) => boolean {
  const addresses = new BlockList();
  const family = familyName(isIP(address));
  if (prefixBits === null) addresses.addAddress(address, family);
  else addresses.addSubnet(address, prefixBits, family);
  return (host) => isIP(host) !== 0 && addresses.check(host, familyName(isIP(host)));
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
