import { givenContradictions, httpContradictions } from "./http-contradictions.ts";
import { httpSchema, usableHttp, type GivenHttp } from "./http-schema.ts";
import type { Path, ProblemCollector } from "../validation/problem-collector.ts";
import type { Problem } from "../validation/problem.ts";
import type { ValidatedHttp, ValidatedTimeouts } from "./validated-http.ts";

/** Reads how requests are sent; what is not said is as in `base`, and `base` itself where nothing is. */
export function readHttp(
  value: unknown,
  base: ValidatedHttp,
  path: Path,
  collector: ProblemCollector,
): ValidatedHttp {
  if (value === undefined) return base;
  const given = collector.read(httpSchema, value, path) ?? usableHttp(value);
  const http = replaceOptions(base, given);
  for (const problem of [...givenContradictions(given), ...newContradictions(base, http)]) {
    collector.add([...path, ...problem.path.split(".")], problem.message);
  }
  return http;
}

/** Those that were not there before: what is wrong with a test is not said of each of its scenarios again. */
function newContradictions(base: ValidatedHttp, http: ValidatedHttp): Problem[] {
  const before = new Set(httpContradictions(base).map(({ message }) => message));
  return httpContradictions(http).filter(({ message }) => !before.has(message));
}

/** One by one, each as a whole; of the time-outs, each part. */
function replaceOptions(base: ValidatedHttp, given: GivenHttp): ValidatedHttp {
  return {
    headers: given.headers ?? base.headers,
    timeouts: replaceTimeouts(base.timeouts, given.timeouts),
    discardBodies: given.discardBodies ?? base.discardBodies,
    maxBodyBytes: given.maxBodyBytes ?? base.maxBodyBytes,
    cookies: given.cookies ?? base.cookies,
    cache: given.cache ?? base.cache,
    connections: given.connections ?? base.connections,
    maxConnections: given.maxConnections ?? base.maxConnections,
    maxRequestsPerConnection: given.maxRequestsPerConnection ?? base.maxRequestsPerConnection,
    protocol: given.protocol ?? base.protocol,
    transport: given.transport ?? base.transport,
    maxConcurrentStreams: given.maxConcurrentStreams ?? base.maxConcurrentStreams,
    tls: given.tls ?? base.tls,
    dns: given.dns ?? base.dns,
    hosts: given.hosts ?? base.hosts,
    proxy: given.proxy ?? base.proxy,
    noProxy: given.noProxy ?? base.noProxy,
    unixSocket: given.unixSocket ?? base.unixSocket,
    localAddresses: given.localAddresses ?? base.localAddresses,
    auth: given.auth ?? base.auth,
    redirects: given.redirects ?? base.redirects,
    expect: given.expect ?? base.expect,
    throwOnError: given.throwOnError ?? base.throwOnError,
    retryOnStaleConnection: given.retryOnStaleConnection ?? base.retryOnStaleConnection,
  };
}

function replaceTimeouts(base: ValidatedTimeouts, given: GivenHttp["timeouts"] = {}): ValidatedTimeouts {
  return {
    connectMs: given.connectMs ?? base.connectMs,
    firstByteMs: given.firstByteMs ?? base.firstByteMs,
    wholeMs: given.wholeMs ?? base.wholeMs,
  };
}
