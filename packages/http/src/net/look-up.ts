import { lookup, Resolver } from "node:dns";

import type { ValidatedDns } from "@bearhug/sdk/internal";

import type { HostAddress } from "./choose-address.ts";

/** The look-up of a name failed: the name has no addresses, or nobody would or could say. */
export class NameLookUpError extends Error {
  override readonly name = "NameLookUpError";
  readonly kind: "notFound" | "timeout" | "failed";
  /** The resolver's code. `ECONNREFUSED` means that the name server refused. */
  readonly code: string;
  constructor(host: string, asked: string, code: string) {
    const kind = notFoundCodes.has(code) ? "notFound" : code === "ETIMEOUT" ? "timeout" : "failed";
    super(`${asked} ${says[kind]} ${host} (${code})`);
    this.kind = kind;
    this.code = code;
  }
}

const notFoundCodes = new Set(["ENOTFOUND", "ENODATA", "EBADNAME", "EAI_ADDRFAMILY", "EAI_NODATA"]);
const says = {
  notFound: "knows no address of",
  timeout: "did not answer when asked for",
  failed: "could not look up",
};

export type LookedUp = (error: NameLookUpError | null, addresses: readonly HostAddress[]) => void;

/** A question that is under way. */
export interface Query {
  /** Gives it up; null where the system can't. */
  readonly cancel: (() => void) | null;
}

/** Asks for a host's addresses, all that the policy may want. `done` is called later, once. */
export type LookUp = (host: string, done: LookedUp) => Query;

type Policy = ValidatedDns["policy"];

/** The system's own resolver. It works in few threads of the whole process: two slow names hold up all others. */
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

/** Asks name servers directly, on the event loop: no name waits for another. Files such as `/etc/hosts` are not read. */
export function serverLookUp(servers: readonly string[], policy: Policy): LookUp {
  const asked = `the name server ${servers.join(", ")}`;
  return (host, done) => {
    // One for each question: `cancel` is of all that a resolver was asked.
    const resolver = new Resolver();
    resolver.setServers(servers);
    let isCancelled = false;
    const fail = (error: Error): void => done(new NameLookUpError(host, asked, codeOf(error)), []);
    const ask = (
      family: 4 | 6,
      answered: (error: Error | null, found: readonly HostAddress[]) => void,
    ): void => {
      const answer = (error: Error | null, found?: readonly string[]): void => {
        if (!isCancelled)
          answered(
            error,
            (found ?? []).map((address) => ({ address, family })),
          );
      };
      if (family === 4) resolver.resolve4(host, answer);
      else resolver.resolve6(host, answer);
    };
    askFamilies(policy, ask, (error, found) => {
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

type Answered = (error: Error | null, found: readonly HostAddress[]) => void;

/** The family that is preferred is asked for first, the other only where there is none of it. */
function askFamilies(policy: Policy, ask: (family: 4 | 6, answered: Answered) => void, done: Answered): void {
  if (policy === "onlyIPv4") ask(4, done);
  else if (policy === "onlyIPv6") ask(6, done);
  else if (policy === "any") askBoth(ask, done);
  else {
    const first = policy === "preferIPv4" ? 4 : 6;
    ask(first, (error, found) => {
      if (error !== null && codeOf(error) === "ENODATA") ask(first === 4 ? 6 : 4, done);
      else done(error, found);
    });
  }
}

function askBoth(ask: (family: 4 | 6, answered: Answered) => void, done: Answered): void {
  const found: HostAddress[] = [];
  let open = 2;
  let failure: Error | null = null;
  const answered: Answered = (error, addresses) => {
    found.push(...addresses);
    // That there is no address of one family says less than any other failure.
    if (error !== null && (failure === null || codeOf(failure) === "ENODATA")) failure = error;
    if (--open === 0) done(found.length > 0 ? null : failure, found);
  };
  ask(4, answered);
  ask(6, answered);
}

function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
