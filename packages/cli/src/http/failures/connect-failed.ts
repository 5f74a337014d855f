import type { KnownHttpErrorCode } from "@bearhug/sdk";

import { foreign, told } from "../../foreign-text.ts";
import type { ConnectFailure, ConnectFailureFacts } from "../../net/connect-failure.ts";
import { describeLostConnection } from "./connection-lost.ts";
import type { DescribedFailure, FailureFacts } from "./failure-facts.ts";

/** The code and the sentence for a connection that did not open. */
export function describeConnectFailure(
  { facts: found }: ConnectFailure,
  facts: FailureFacts,
): DescribedFailure {
  const { origin } = facts;
  const reason = foreign(found.reason);
  switch (found.kind) {
    case "closed":
      return describeLostConnection("closed", facts);
    case "notNegotiated":
      return {
        code: "TLS_ALPN_MISMATCH",
        message: told`${origin}: ${reason} (protocol: "auto" accepts any)`,
      };
    case "proxy":
      return { code: proxyCode(found), message: told`${origin}: ${reason}` };
  }
}

/** Causes that end a connection to a proxy that was reached. */
const cutOff: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED"]);

function proxyCode({ status, cause }: ConnectFailureFacts): KnownHttpErrorCode {
  if (status !== undefined) return status === 407 ? "PROXY_AUTH_REQUIRED" : "PROXY_REFUSED";
  return cause === undefined || cutOff.has(cause) ? "PROXY_FAILED" : "PROXY_UNREACHABLE";
}
