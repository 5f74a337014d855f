import type { KnownHttpErrorCode } from "@bearhug/sdk";
import { foreignLine, foreignSentence, type ForeignText } from "@bearhug/text/foreign-text";

import type { DescribedFailure, FailureInfo } from "./failure-info.ts";
import { describeLostConnection } from "./phase-failures.ts";

/** The kinds of failure that no system error states. */
export type TransportFailureKind =
  /** The peer ended the connection. The description depends on the request's phase. */
  "closed" | DescribedKind;

type DescribedKind =
  /** The response is not valid HTTP. */
  | "malformed"
  | "headersTooLarge"
  | "tooManyInterim"
  /** An unrequested protocol upgrade. */
  | "upgraded"
  /** HTTP/1.1 with pipelining: the connection was closed because of another request on it. */
  | "pipelineBroken"
  /** The request's own body could not be read. */
  | "requestBody"
  /** HTTP/2: the peer reset the stream. */
  | "streamReset"
  /** HTTP/2: the peer shuts the connection down; `isUnprocessed`: it did not process this request. */
  | "goaway"
  /** HTTP/2: a frame or a state that the protocol does not allow. */
  | "protocolError"
  /** HTTP/2: the peer stopped sending; even a PING got no reply. */
  | "silent";

interface KindDescription {
  readonly code: KnownHttpErrorCode;
  /** Causes that have a code of their own, by the name of the HTTP/2 error. */
  readonly codes?: ReadonlyMap<string, KnownHttpErrorCode>;
  /** Returns the sentence. */
  readonly sentence: (origin: string, reason: ForeignText) => ForeignText;
}

const kinds: Readonly<Record<DescribedKind, KindDescription>> = {
  malformed: {
    code: "MALFORMED_RESPONSE",
    sentence: (origin, reason) => foreignSentence`${origin} sent an invalid HTTP response: ${reason}`,
  },
  headersTooLarge: {
    code: "HEADERS_TOO_LARGE",
    sentence: (origin, reason) => foreignSentence`${origin} sent ${reason}`,
  },
  tooManyInterim: {
    code: "TOO_MANY_INTERIM_RESPONSES",
    sentence: (origin, reason) => foreignSentence`${origin} sent ${reason}`,
  },
  upgraded: {
    code: "UPGRADE_REFUSED",
    sentence: (origin, reason) => foreignSentence`${origin} switched protocols: ${reason}`,
  },
  pipelineBroken: {
    code: "PIPELINE_BROKEN",
    sentence: (origin, reason) =>
      foreignSentence`the connection to ${origin} was closed before the response: ${reason} (pipelining)`,
  },
  requestBody: {
    code: "REQUEST_BODY_FAILED",
    sentence: (origin, reason) =>
      foreignSentence`the body of the request to ${origin} could not be read: ${reason}`,
  },
  streamReset: {
    code: "H2_STREAM_RESET",
    codes: new Map([
      ["REFUSED_STREAM", "H2_REFUSED_STREAM"],
      ["ENHANCE_YOUR_CALM", "H2_ENHANCE_YOUR_CALM"],
    ]),
    sentence: (origin, reason) => foreignSentence`${origin} reset the stream: ${reason}`,
  },
  goaway: {
    code: "H2_GOAWAY",
    codes: new Map([["ENHANCE_YOUR_CALM", "H2_ENHANCE_YOUR_CALM"]]),
    sentence: (origin, reason) => foreignSentence`${origin} shut the connection down: ${reason}`,
  },
  protocolError: {
    code: "H2_PROTOCOL_ERROR",
    sentence: (origin, reason) => foreignSentence`${origin} violated HTTP/2: ${reason}`,
  },
  silent: {
    code: "H2_PING_TIMEOUT",
    sentence: (origin, reason) => foreignSentence`${origin} stopped responding on the connection: ${reason}`,
  },
};

export interface TransportFailureInfo {
  readonly kind: TransportFailureKind;
  /** The details, for people. A ForeignText if it quotes the peer. */
  readonly reason: string | ForeignText;
  /** The name of the HTTP/2 error. */
  readonly cause?: string;
  /** True if the request is known not to have been processed: safe to retry. */
  readonly isUnprocessed?: boolean;
}

/** A request failed on its connection for a protocol reason, not a system error. */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";
  readonly info: TransportFailureInfo;
  constructor(info: TransportFailureInfo) {
    super(`${info.kind}: its reason may quote what came`);
    this.info = info;
  }
}

/** Describes a transport's failure with a code and a sentence. */
export function describeTransportFailure(
  { info: found }: TransportFailure,
  info: FailureInfo,
): DescribedFailure {
  const { kind, reason, cause = "", isUnprocessed } = found;
  if (kind === "closed") return describeLostConnection("closed", info);
  const { code, codes, sentence } = kinds[kind];
  const hint = isUnprocessed === true ? "; the request was not processed and is safe to retry" : "";
  return {
    code: codes?.get(cause) ?? code,
    message: foreignSentence`${sentence(info.origin, foreignLine(reason))}${hint}`,
  };
}
