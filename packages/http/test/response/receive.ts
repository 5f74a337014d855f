import { createMask } from "@bearhug/text/secret-mask";
import { eachOpeningPhase } from "@bearhug/sdk/internal";

import type { ReceivedResponse } from "../../src/response/response.ts";
import { ExchangeResponse } from "../../src/response/response.ts";
import { SharedBody } from "../../src/response/shared-body.ts";

/** Makes a response as a test sees it, from what a transport or the cache returned. */
export function receive(
  received: Partial<ReceivedResponse>,
  secrets: readonly string[] = [],
): ExchangeResponse {
  const body = received.body ?? [];
  const whole: ReceivedResponse = {
    url: "http://127.0.0.1:8080/a",
    status: 200,
    error: null,
    protocol: "HTTP/1.1",
    rawHeaders: [],
    body,
    whyNoBody: null,
    bodyBytes: body instanceof SharedBody ? body.wire.length : Buffer.concat(body).length,
    bytesSent: 0,
    bytesReceived: 0,
    connectionInfo: () => null,
    timings: () => ({
      blocked: 1,
      ...eachOpeningPhase(() => 0),
      sending: 2,
      waiting: 3,
      receiving: 4,
      duration: 9,
      responseTime: 10,
    }),
    fromCache: false,
    ...received,
  };
  return new ExchangeResponse(whole, createMask(secrets));
}
