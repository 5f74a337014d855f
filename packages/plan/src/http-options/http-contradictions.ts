import type { Problem } from "@bearhug/sdk";
import { isSingularHeader } from "./headers.ts";
import { type GivenHttp, protocols, type ValidatedHttp } from "./validated-http.ts";
import { isOlder } from "./tls.ts";

/** Finds options of `http` that cannot be combined. Each message continues a sentence that begins with the path. */
export function httpContradictions(http: ValidatedHttp): Problem[] {
  const { protocol, transport, pipelining, proxy, unixSocket, localAddresses, tls } = http;
  const problems: Problem[] = [];
  if (pipelining > 1 && transport !== "undici") {
    problems.push({
      path: "pipelining",
      message: `needs transport: "undici": bearhug's own client has one request at a time on an HTTP/1.1 connection`,
    });
  }
  if (pipelining > 1 && protocols[protocol].version === "HTTP/2") {
    problems.push({
      path: "pipelining",
      message: `is only for HTTP/1.1, but the protocol is "${protocol}": use maxConcurrentStreams`,
    });
  }
  if (unixSocket !== null && proxy !== null) {
    problems.push({ path: "unixSocket", message: "can't be combined with proxy: remove one of them" });
  }
  if (unixSocket !== null && localAddresses.length > 0) {
    problems.push({
      path: "unixSocket",
      message: "can't be combined with localAddresses, because a socket has no address: remove one of them",
    });
  }
  if (protocol === "http2" && isOlder(tls.maxVersion, "1.2")) {
    problems.push({
      path: "protocol",
      message: `can't be "http2" where tls.maxVersion is "${tls.maxVersion}": HTTP/2 needs TLS 1.2 or later`,
    });
  }
  return problems;
}

/**
 * Finds options that cannot be combined in the same `http`. They can be if one is the test's and one the
 * scenario's: a scenario with a `unixSocket` simply does not use the `hosts` of its test.
 */
export function givenContradictions(given: GivenHttp): Problem[] {
  const { protocol, maxConcurrentStreams, connections, headers = [] } = given;
  const problems: Problem[] = [];
  if (protocol === "http1" && maxConcurrentStreams !== undefined) {
    problems.push({
      path: "maxConcurrentStreams",
      message: 'is only for HTTP/2, but the protocol is "http1"',
    });
  }
  if (connections === "perRequest" && given.maxRequestsPerConnection !== undefined) {
    problems.push({
      path: "maxRequestsPerConnection",
      message: 'is always 1 with connections: "perRequest": remove one of them',
    });
  }
  if (connections === "perRequest" && given.maxConnectionAge !== undefined) {
    problems.push({
      path: "maxConnectionAge",
      message: 'has no effect with connections: "perRequest": remove one of them',
    });
  }
  const unused = given.unixSocket === undefined ? [] : lookUpOptions(given);
  const message = "has no effect with unixSocket: remove one of them";
  for (const path of unused) problems.push({ path, message });
  for (const name of repeatedHeaders(headers)) {
    problems.push({ path: `headers.${name}`, message: "can be given only once" });
  }
  return problems;
}

/** Returns the options that determine a host's address. */
function lookUpOptions({ hosts, dns }: GivenHttp): string[] {
  const hasHosts = hosts !== undefined && Object.keys(hosts).length > 0;
  return [...(hasHosts ? ["hosts"] : []), ...(dns === undefined ? [] : ["dns"])];
}

/** Returns the names, as they were written last, of headers that were repeated but may be given only once. */
function repeatedHeaders(headers: readonly string[]): Iterable<string> {
  const seen = new Set<string>();
  const repeated = new Map<string, string>();
  for (let position = 0; position < headers.length; position += 2) {
    const name = headers[position] ?? "";
    const lower = name.toLowerCase();
    if (seen.has(lower) && isSingularHeader(lower)) repeated.set(lower, name);
    seen.add(lower);
  }
  return repeated.values();
}
