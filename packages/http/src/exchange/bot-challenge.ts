import { foreignLine, foreignSentence } from "@bearhug/text/foreign-text";
import type { Mask } from "@bearhug/text/secret-mask";

import type { MaskedFailure } from "../failures/failure-info.ts";
import { RawResponseHeaders } from "../response/response-headers.ts";
import type { Exchange } from "./exchange.ts";

interface Sign {
  readonly header: string;
  readonly value: string;
}

/** The header by which a bot filter marks a challenge, for each status: of AWS WAF, Cloudflare and Vercel. */
const signs: ReadonlyMap<number, Sign> = new Map([
  [202, { header: "x-amzn-waf-action", value: "challenge" }],
  [403, { header: "cf-mitigated", value: "challenge" }],
  [405, { header: "x-amzn-waf-action", value: "captcha" }],
  [429, { header: "x-vercel-mitigated", value: "challenge" }],
]);

/** Returns the failure of a request that a bot filter answered with a challenge to the browser; otherwise null. */
export function botChallenge(
  { status, error, head, request }: Pick<Exchange, "status" | "error" | "head" | "request">,
  mask: Mask,
): MaskedFailure | null {
  const sign = signs.get(status);
  if (sign === undefined || error !== null || head === null) return null;
  const { header, value } = sign;
  if (new RawResponseHeaders(head.rawHeaders()).get(header) !== value) return null;
  const origin = foreignLine(request.endpoint.origin.text);
  const message = foreignSentence`a bot filter at ${origin} responded in place of the application, with status ${status} and ${header}: ${value}`;
  return { code: "BOT_CHALLENGE", message: message.masked(mask), phase: "receiving" };
}
