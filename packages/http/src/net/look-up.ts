import { lookup, Resolver } from "node:dns";

import type { ValidatedDns } from "@bearhug/plan/http-options/dns";

import { errorCode } from "@bearhug/text/caught-error";

import type { HostAddress } from "./choose-address.ts";

/** The look-up of a name failed: it has no addresses, or the resolver refused or failed. */
export class NameLookUpError extends Error {
  override readonly name = "NameLookUpError";
  readonly kind: "notFound" | "timeout" | "failed";
  /** The resolver's code. `ECONNREFUSED` means that the name server refused. */
  readonly code: string;
  constructor(host: string, resolver: string, code: string) {
    const kind = notFoundCodes.has(code) ? "notFound" : code === "ETIMEOUT" ? "timeout" : "failed";
    super(`${resolver} ${phrases[kind]} ${host} (${code})`);
    this.kind = kind;
    this.code = code;
  }
}

const notFoundCodes = new Set(["ENOTFOUND", "ENODATA", "EBADNAME", "EAI_ADDRFAMILY", "EAI_NODATA"]);
const phrases = {
  notFound: "knows no address of",
  timeout: "did not answer when asked for",
  failed: "could not look up",
};

export type LookedUp = (error: NameLookUpError | null, addresses: readonly HostAddress[]) => void;

/** A running look-up. */
export interface Query {
  /** Cancels it; null if the system can't. */
  readonly cancel: (() => void) | null;
}

/** Looks up all addresses of a host that the policy may use. `done` is called later, once. */
export type LookUp = (host: string, done: LookedUp) => Query;

type Policy = ValidatedDns["policy"];

/** The system's resolver. Its few threads serve the whole process: two slow names delay all others. */
export function systemLookUp(policy: Policy): LookUp {
  const family = policy === "onlyIPv4" ? 4 : policy === "onlyIPv6" ? 6 : 0;
  return (host, done) => {
    lookup(host, { all: true, family, order: "verbatim" }, (error, found) => {
      if (error !== null) done(new NameLookUpError(host, "the system's resolver", codeOf(error)), []);
      else
        done(
          null,
          found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 })),
        );
    });
    return { cancel: null };
  };
}

/** Queries name servers directly on the event loop: no name waits for another. Ignores `/etc/hosts`. */
export function serverLookUp(servers: readonly string[], policy: Policy): LookUp {
  const resolverName = `the name server ${servers.join(", ")}`;
  return (host, done) => {
    // One resolver per look-up: `cancel` ends all queries of a resolver.
    const resolver = new Resolver();
    resolver.setServers(servers);
    let isCancelled = false;
    const fail = (error: Error): void => done(new NameLookUpError(host, resolverName, codeOf(error)), []);
    const query = (
      family: 4 | 6,
      onAddresses: (error: Error | null, found: readonly HostAddress[]) => void,
    ): void => {
      const onResult = (error: Error | null, found?: readonly string[]): void => {
        if (!isCancelled)
          onAddresses(
            error,
            (found ?? []).map((address) => ({ address, family })),
          );
      };
      if (family === 4) resolver.resolve4(host, onResult);
      else resolver.resolve6(host, onResult);
    };
    queryFamilies(policy, query, (error, found) => {
      if (error !== null) fail(error);
      else done(null, found);
    });
    return {
      cancel: () => {
        isCancelled = true;
        resolver.cancel();
      },
    };
  };
}

type OnAddresses = (error: Error | null, found: readonly HostAddress[]) => void;

/** Queries the preferred family first, and the other only if the host has no address of it. */
function queryFamilies(
  policy: Policy,
  query: (family: 4 | 6, onAddresses: OnAddresses) => void,
  done: OnAddresses,
): void {
  if (policy === "onlyIPv4") query(4, done);
  else if (policy === "onlyIPv6") query(6, done);
  else if (policy === "any") queryBoth(query, done);
  else {
    const first = policy === "preferIPv4" ? 4 : 6;
    query(first, (error, found) => {
      if (error !== null && codeOf(error) === "ENODATA") query(first === 4 ? 6 : 4, done);
      else done(error, found);
    });
  }
}

function queryBoth(query: (family: 4 | 6, onAddresses: OnAddresses) => void, done: OnAddresses): void {
  const found: HostAddress[] = [];
  let open = 2;
  let failure: Error | null = null;
  const onAddresses: OnAddresses = (error, addresses) => {
    found.push(...addresses);
    // Any other failure is more informative than a missing address of one family.
    if (error !== null && (failure === null || codeOf(failure) === "ENODATA")) failure = error;
    if (--open === 0) done(found.length > 0 ? null : failure, found);
  };
  query(4, onAddresses);
  query(6, onAddresses);
}

function codeOf(error: Error): string {
  return errorCode(error) ?? error.name;
}
