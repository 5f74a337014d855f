import type { ValidatedHttp, ValidatedTls } from "@bearhug/sdk/internal";

import type { HttpFlags } from "./http-flags.ts";

/** What a test says of how requests are sent, with what the command line says instead. */
export function overrideHttp(http: ValidatedHttp, flags: HttpFlags): ValidatedHttp {
  const { insecure, protocol, transport, timeoutMs, proxy, hosts, unixSocket, ca, discardBodies } = flags;
  return {
    ...http,
    ...reach(http, proxy, unixSocket),
    protocol: protocol ?? http.protocol,
    transport: transport ?? http.transport,
    timeouts: timeoutMs === null ? http.timeouts : { ...http.timeouts, wholeMs: timeoutMs },
    hosts: { ...remaining(http.hosts, hosts), ...hosts },
    discardBodies: discardBodies || http.discardBodies,
    tls: trust(http.tls, ca, insecure),
  };
}

/** The test's hosts without those that the command line leads elsewhere, on whatever port. */
function remaining(hosts: ValidatedHttp["hosts"], flags: ValidatedHttp["hosts"]): ValidatedHttp["hosts"] {
  return Object.fromEntries(
    Object.entries(hosts).filter(([key]) => flags[key.replace(/:\d+$/, "")] === undefined),
  );
}

/** Where connections go: one way replaces the other. */
function reach(
  http: ValidatedHttp,
  proxy: string | null,
  unixSocket: string | null,
): Pick<ValidatedHttp, "proxy" | "unixSocket" | "localAddresses"> {
  const { localAddresses } = http;
  if (unixSocket !== null) return { unixSocket, proxy: null, localAddresses: [] };
  if (proxy !== null) return { proxy, unixSocket: null, localAddresses };
  return { proxy: http.proxy, unixSocket: http.unixSocket, localAddresses };
}

/** Who is trusted; the client's own certificate stays. */
function trust(tls: ValidatedTls, ca: string | null, isInsecure: boolean): ValidatedTls {
  return {
    ...tls,
    ca: ca === null ? tls.ca : [ca],
    insecureSkipTlsVerify: isInsecure || tls.insecureSkipTlsVerify,
  };
}
