import { z } from "@bearhug/sdk/internal";

/** Returns the problem with an IP address, as the rest of a sentence; undefined for a valid one. */
export function addressProblem(text: string): string | undefined {
  return isAddress(text) ? undefined : 'must be an IP address such as "127.0.0.1" or "::1"';
}

/** Returns the problem with a host name, which must not be an IP address; undefined for a valid one. */
export function hostNameProblem(text: string): string | undefined {
  if (isAddress(text) || isAddress(withoutBrackets(text))) return "is an IP address: use a host name";
  return isHostName(text)
    ? undefined
    : 'must be a host name such as "shop.example", without scheme or port, in ASCII ("xn--…")';
}

/**
 * `[scheme://][user[:password]@]host[:port][/]`. Without a scheme, it is an HTTP proxy, as in curl and Go.
 */
const proxyPattern = /^(?:([a-z][a-z\d+.-]*):\/\/)?(?:([^\s/?#\\]*)@)?([^\s/?#@\\]+)\/?$/i;

/**
 * Returns the problem with the address of a proxy; undefined for a valid one, and for an empty string, which
 * means no proxy. It does not show the address, which may contain a password.
 */
export function proxyProblem(text: string): string | undefined {
  const address = text.trim();
  if (address === "") return undefined;
  const [, scheme = "http", user, authority] = proxyPattern.exec(address) ?? [];
  if (authority === undefined || !isAuthority(authority)) {
    return 'must be an address such as "http://user:password@proxy.example:3128" (or https, socks5, socks5h), without path and query';
  }
  if (!/^(?:https?|socks5h?)$/i.test(scheme)) {
    return `must begin with http, https, socks5 or socks5h, but begins with "${scheme}": ${/^socks/i.test(scheme) ? "use socks5h if the proxy speaks SOCKS5" : "use http if it is an HTTP proxy"}`;
  }
  if (user === undefined) return undefined;
  // Its user and password are decoded before they are sent.
  if (!isDecodable(user)) return "must have its user and password percent-encoded: a % itself is %25";
  const isTooLong = /^socks/i.test(scheme) && user.split(":").some((part) => byteLength(part) > 255);
  return isTooLong ? "must have a user and a password of at most 255 bytes each, as SOCKS5 has" : undefined;
}

/** Returns a proxy's valid address with its scheme; an empty string for no proxy. */
export function withProxyScheme(text: string): string {
  const address = text.trim();
  return address === "" || /^[a-z\d]+:\/\//i.test(address) ? address : `http://${address}`;
}

/** Hosts that are reached without the proxy: an entry of `noProxy`. */
export interface DirectHosts {
  /** A name in lower case without dots at its ends, an address without brackets, or `*` for all. */
  readonly host: string;
  /** The length of a network's prefix; null if the entry is not a network. */
  readonly prefixBits: number | null;
  /** False for `*.internal`, which matches subdomains only. */
  readonly isNameIncluded: boolean;
  /** Null for any port. */
  readonly port: number | null;
}

/**
 * Reads an entry of `noProxy`; undefined if it is invalid. Follows curl's rules and, where it has none
 * (ports), Go's.
 */
export function readDirectHosts(text: string): DirectHosts | undefined {
  const entry = text.toLowerCase();
  const any = { prefixBits: null, isNameIncluded: true, port: null };
  const bare = withoutBrackets(entry);
  if (entry === "*" || isAddress(bare)) return { ...any, host: bare };
  const network = completeNetwork(entry);
  const [base = "", bits] = network.split("/");
  if (z.cidrv4().safeParse(network).success || z.cidrv6().safeParse(network).success) {
    return { ...any, host: base, prefixBits: Number(bits) };
  }
  const [, before = "", named = "", port] =
    /^(\*?\.)?(\[[^\]]*\]|[^:[\]]+?)\.?(?::(\d+))?$/.exec(entry) ?? [];
  const host = withoutBrackets(named);
  const isHost = isHostName(host) || (before === "" && isAddress(host));
  if (!isHost || !isPort(port)) return undefined;
  return { ...any, host, isNameIncluded: before !== "*.", port: port === undefined ? null : Number(port) };
}

/** Completes the zeros of a network such as `169.254/16`, which macOS writes. */
function completeNetwork(entry: string): string {
  const [base = "", bits = ""] = entry.split("/");
  if (!/^\d+(?:\.\d+){0,2}$/.test(base)) return entry;
  return `${[...base.split("."), 0, 0, 0].slice(0, 4).join(".")}/${bits}`;
}

/** Returns the problem with an entry of `noProxy`; undefined for a valid one. */
export function noProxyProblem(text: string): string | undefined {
  if (readDirectHosts(text) !== undefined) return undefined;
  const numbers = /^(\d+(?:\.\d+){0,2})\.\*?$/.exec(text)?.[1];
  const advice =
    numbers === undefined
      ? 'must be a host such as "shop.example", "*.internal" or "localhost:8080", an address, a network such as "10.0.0.0/8", or "*"'
      : `must be written "${completeNetwork(`${numbers}/${8 * numbers.split(".").length}`)}"`;
  return `${advice}, but is "${text}"`;
}

/** Returns the problem with a name server; undefined for a valid one. */
export function nameServerProblem(text: string): string | undefined {
  if (isAddress(text)) return undefined;
  const [, address, port] = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d+))?$/.exec(text) ?? [];
  return address !== undefined && isAddress(withoutBrackets(address)) && isPort(port)
    ? undefined
    : 'must be the IP address of a name server such as "10.0.0.2", "127.0.0.1:5353" or "[::1]:5353"';
}

/** Returns the problem with the path of a Unix socket; undefined for a valid one. */
export function socketPathProblem(path: string): string | undefined {
  return path.trim() === "" || path.includes("\0") ? "must be the path of a unix socket" : undefined;
}

function isAddress(text: string): boolean {
  return z.ipv4().safeParse(text).success || z.ipv6().safeParse(text).success;
}

function isHostName(text: string): boolean {
  // If the last part of a host is a number, the URL standard reads an IPv4 address: 127.1, 0x7f000001.
  if (text.length > 253 || /(?:^|\.)(?:\d+|0x[\da-f]*)$/i.test(text)) return false;
  return text.split(".").every((label) => /^\w(?:[\w-]{0,61}\w)?$/.test(label));
}

/** True for a host, by name or address, with or without a port. */
function isAuthority(text: string): boolean {
  const [, host = "", port] = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d+))?$/.exec(text) ?? [];
  const bare = withoutBrackets(host);
  // IPv6 addresses are in brackets, and nothing else is.
  const isHost = bare === host ? isHostName(host) || isAddress(host) : isAddress(bare) && bare.includes(":");
  return isHost && isPort(port);
}

/** Returns true for a valid port number, and if there is no port. */
export function isPort(text: string | undefined): boolean {
  return text === undefined || (Number(text) >= 1 && Number(text) <= 65_535);
}

/** Returns the address without the brackets of an IPv6 literal. */
export function withoutBrackets(text: string): string {
  return /^\[(.*)\]$/.exec(text)?.[1] ?? text;
}

function byteLength(encoded: string): number {
  return encodeURIComponent(decodeURIComponent(encoded)).replaceAll(/%../g, "x").length;
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
