import { httpContradictions } from "./http-contradictions.ts";
import { httpSchema, type GivenHttp } from "./http-schema.ts";
import type { Path, ProblemCollector } from "./problem-collector.ts";
import type { ValidatedHttp } from "./validated-http.ts";

/** Reads how requests are sent; what is not said is as in `base`, and `base` itself where nothing is. */
export function readHttp(
  value: unknown,
  base: ValidatedHttp,
  path: Path,
  collector: ProblemCollector,
): ValidatedHttp {
  if (value === undefined) return base;
  const given = collector.read(httpSchema, value, path);
  if (given === undefined) return base;
  const http = replaceOptions(base, given);
  for (const problem of httpContradictions(http)) collector.add([...path, problem.path], problem.message);
  return http;
}

/** One by one, each as a whole. */
function replaceOptions(base: ValidatedHttp, given: GivenHttp): ValidatedHttp {
  return {
    headers: given.headers ?? base.headers,
    timeouts: given.timeouts ?? base.timeouts,
    discardBodies: given.discardBodies ?? base.discardBodies,
    maxBodyBytes: given.maxBodyBytes ?? base.maxBodyBytes,
    cookies: given.cookies ?? base.cookies,
    cache: given.cache ?? base.cache,
    connections: given.connections ?? base.connections,
    maxConnections: given.maxConnections ?? base.maxConnections,
    maxRequestsPerConnection: given.maxRequestsPerConnection ?? base.maxRequestsPerConnection,
    protocol: given.protocol ?? base.protocol,
    maxConcurrentStreams: given.maxConcurrentStreams ?? base.maxConcurrentStreams,
    tls: given.tls ?? base.tls,
    dns: given.dns ?? base.dns,
    hosts: given.hosts ?? base.hosts,
    proxy: given.proxy ?? base.proxy,
    unixSocket: given.unixSocket ?? base.unixSocket,
    localAddresses: given.localAddresses ?? base.localAddresses,
  };
}
