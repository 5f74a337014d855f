import { BlockList, isIP } from "node:net";

import { readDirectHosts } from "@bearhug/plan/http-options/http-rules";
import { errorCode } from "@bearhug/text/caught-error";
import { type ForeignText, foreignSentence } from "@bearhug/text/foreign-text";

import { ConnectFailure } from "./connect-failure.ts";
import { addressUnavailable } from "./dial-tcp.ts";
import type { Origin } from "./origin.ts";

/** A proxy: how to dial it, and its name in messages. */
export interface Proxy {
  /** `socks5h` looks hosts up itself; for `socks5` the engine does. */
  readonly kind: "http" | "https" | "socks5" | "socks5h";
  /** Without the brackets of an IPv6 literal. */
  readonly host: string;
  readonly port: number;
  /** For people, without the credentials. */
  readonly address: string;
  /** The credentials; null if the proxy's URL has none. */
  readonly login: { readonly user: string; readonly password: string } | null;
  /** The value of `proxy-authorization`, for an HTTP proxy; null without credentials. */
  readonly authorization: string | null;
}

const defaultPorts = { http: 80, https: 443, socks5: 1080, socks5h: 1080 } as const;

/** Reads the address of a proxy. It has been validated, and has a scheme. */
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

export function isSocks({ kind }: Proxy): boolean {
  return kind === "socks5" || kind === "socks5h";
}

const kinds = ["http", "https", "socks5", "socks5h"] as const;

/** Creates a failure that is the proxy's fault. `status`: of its response to CONNECT. */
export function proxyFailure(
  { address }: Pick<Proxy, "address">,
  what: string | ForeignText,
  status: number | null = null,
): ConnectFailure {
  return new ConnectFailure({
    kind: "proxy",
    reason: foreignSentence`the proxy ${address} ${what}`,
    ...(status === null ? {} : { status }),
  });
}

/** Returns a predicate for origins that bypass the proxy, by the entries of `noProxy`. */
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

/** Attributes an error to the proxy that was being dialled, unless it is a fault of this machine. */
export function blameProxy(error: Error, address: string): Error {
  if (error instanceof ConnectFailure) return error;
  const cause = errorCode(error);
  if (cause !== null && ownCodes.has(cause)) return error;
  return new ConnectFailure({
    kind: "proxy",
    reason: `the proxy ${address}: ${error.message}`,
    ...(cause === null ? {} : { cause }),
  });
}
