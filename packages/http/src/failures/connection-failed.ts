import type { KnownHttpErrorCode } from "@bearhug/sdk";
import { foreignLine, foreignSentence } from "@bearhug/text/foreign-text";

import type { ConnectFailure, ConnectFailureInfo } from "../net/connect-failure.ts";
import type { DescribedFailure, FailureInfo } from "./failure-info.ts";
import { describeLostConnection } from "./phase-failures.ts";

/** Returns the code and the sentence for a connection that did not open. */
export function describeConnectFailure({ info: found }: ConnectFailure, info: FailureInfo): DescribedFailure {
  const { origin } = info;
  const reason = foreignLine(found.reason);
  switch (found.kind) {
    case "closed":
      return describeLostConnection("closed", info);
    case "notNegotiated":
      return {
        code: "TLS_ALPN_MISMATCH",
        message: foreignSentence`${origin}: ${reason} (protocol: "auto" accepts any)`,
      };
    case "proxy":
      return { code: proxyCode(found), message: foreignSentence`${origin}: ${reason}` };
  }
}

/** Causes that end a connection after the proxy was reached. */
const cutOff: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED"]);

function proxyCode({ status, cause }: ConnectFailureInfo): KnownHttpErrorCode {
  if (status !== undefined) return status === 407 ? "PROXY_AUTH_REQUIRED" : "PROXY_REFUSED";
  return cause === undefined || cutOff.has(cause) ? "PROXY_FAILED" : "PROXY_UNREACHABLE";
}
