import { type GivenHttp, mergeHttp, type ValidatedHttp, type ValidatedTls } from "@bearhug/sdk/internal";

import type { HttpFlags } from "./http-flags.ts";

/** Overrides the options of a test with the flags of the command line. */
export function overrideHttp(http: ValidatedHttp, { given, hosts, ca, insecure }: HttpFlags): ValidatedHttp {
  return {
    ...mergeHttp({ ...http, ...replacedReach(given) }, given),
    hosts: { ...remaining(http.hosts, hosts), ...hosts },
    tls: trust(http.tls, ca, insecure),
  };
}

/** The test's hosts without those that the command line leads elsewhere, on whatever port. */
function remaining(hosts: ValidatedHttp["hosts"], flags: ValidatedHttp["hosts"]): ValidatedHttp["hosts"] {
  return Object.fromEntries(
    Object.entries(hosts).filter(([key]) => flags[key.replace(/:\d+$/, "")] === undefined),
  );
}

/** A proxy and a socket each replace any other way to connect. */
function replacedReach({ proxy, unixSocket }: GivenHttp): Partial<ValidatedHttp> {
  if (unixSocket !== undefined) return { proxy: null, localAddresses: [] };
  return proxy === undefined ? {} : { unixSocket: null };
}

/** Trusts other authorities, or any certificate; the client's own certificate stays. */
function trust(tls: ValidatedTls, ca: string | null, isInsecure: boolean): ValidatedTls {
  return {
    ...tls,
    ca: ca === null ? tls.ca : [ca],
    insecureSkipTlsVerify: isInsecure || tls.insecureSkipTlsVerify,
  };
}
