import type { KnownHttpErrorCode } from "@bearhug/sdk";
import { foreign, told } from "@bearhug/text/foreign-text";

import type { ConnectFailure, ConnectFailureInfo } from "../net/connect-failure.ts";
import type { DescribedFailure, FailureInfo } from "./failure-info.ts";
import { describeLostConnection } from "./phase-failures.ts";
import type { TransportFailure, TransportFailureInfo } from "./transport-failure.ts";

/** Describes a transport's failure with a code and a sentence. */
export function describeTransportFailure(
  { info: found }: TransportFailure,
  info: FailureInfo,
): DescribedFailure {
  const { origin } = info;
  const reason = foreign(found.reason);
  switch (found.kind) {
    case "closed":
      return describeLostConnection("closed", info);
    case "malformed":
      return {
        code: "MALFORMED_RESPONSE",
        message: told`${origin} sent an invalid HTTP response: ${reason}`,
      };
    case "headersTooLarge":
      return { code: "HEADERS_TOO_LARGE", message: told`${origin} sent ${reason}` };
    case "tooManyInterim":
      return { code: "TOO_MANY_INTERIM_RESPONSES", message: told`${origin} sent ${reason}` };
    case "upgraded":
      return { code: "UPGRADE_REFUSED", message: told`${origin} switched protocols: ${reason}` };
    case "pipelineBroken":
      return {
        code: "PIPELINE_BROKEN",
        message: told`the connection to ${origin} was closed before the response: ${reason} (pipelining)`,
      };
    case "requestBody":
      return {
        code: "REQUEST_BODY_FAILED",
        message: told`the body of the request to ${origin} could not be read: ${reason}`,
      };
    case "streamReset":
      return http2(streamResets.get(found.cause) ?? "H2_STREAM_RESET", "reset the stream", found, origin);
    case "goaway":
      return http2(goaways.get(found.cause) ?? "H2_GOAWAY", "shut the connection down", found, origin);
    case "protocolError":
      return http2("H2_PROTOCOL_ERROR", "violated HTTP/2", found, origin);
    case "silent":
      return {
        code: "H2_PING_TIMEOUT",
        message: told`${origin} stopped responding on the connection: ${reason}`,
      };
  }
}

const streamResets = new Map<string | undefined, KnownHttpErrorCode>([
  ["REFUSED_STREAM", "H2_REFUSED_STREAM"],
  ["ENHANCE_YOUR_CALM", "H2_ENHANCE_YOUR_CALM"],
]);
const goaways = new Map<string | undefined, KnownHttpErrorCode>([
  ["ENHANCE_YOUR_CALM", "H2_ENHANCE_YOUR_CALM"],
]);

function http2(
  code: KnownHttpErrorCode,
  what: string,
  { reason, isUnprocessed }: TransportFailureInfo,
  origin: string,
): DescribedFailure {
  const repeat = isUnprocessed === true ? "; the request was not processed and is safe to retry" : "";
  return { code, message: told`${origin} ${what}: ${foreign(reason)}${repeat}` };
}

/** The code and the sentence for a connection that did not open. */
export function describeConnectFailure({ info: found }: ConnectFailure, info: FailureInfo): DescribedFailure {
  const { origin } = info;
  const reason = foreign(found.reason);
  switch (found.kind) {
    case "closed":
      return describeLostConnection("closed", info);
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

function proxyCode({ status, cause }: ConnectFailureInfo): KnownHttpErrorCode {
  if (status !== undefined) return status === 407 ? "PROXY_AUTH_REQUIRED" : "PROXY_REFUSED";
  return cause === undefined || cutOff.has(cause) ? "PROXY_FAILED" : "PROXY_UNREACHABLE";
}
