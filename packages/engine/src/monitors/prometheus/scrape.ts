import { get as getHttp, Agent as HttpAgent, STATUS_CODES, type IncomingMessage } from "node:http";
import { get as getHttps, Agent as HttpsAgent } from "node:https";

import { describeFamily, quantitiesOf } from "@bearhug/plan/monitors/prometheus/chosen-family";
import { parseText } from "@bearhug/plan/monitors/prometheus/parse-text";
import type { ScrapeOptions } from "@bearhug/plan/monitors/prometheus/scrape-kind";
import { type ReadSource, UnreadableSource } from "@bearhug/plan/monitors/reader";
import type { Clock } from "@bearhug/plan/pacing/clock";
import { errorCode, errorMessage } from "@bearhug/text/caught-error";

import { knownFamilies, knownQuantities } from "./known-families.ts";

/** A limit above the size of any exporter's text. */
const maxBytes = 2 ** 24;

/** Reads an exporter over HTTP, on one connection that is kept open. */
export function scrape({ url, authorization, chosen }: ScrapeOptions, clock: Clock): ReadSource {
  const isTls = url.startsWith("https:");
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const headers = {
    accept: "text/plain;version=0.0.4;q=1,*/*;q=0.1",
    "accept-encoding": "identity",
    ...(authorization === null ? {} : { authorization }),
  };
  const wanted = new Set([...knownFamilies, ...chosen.map(({ family }) => family)]);
  return async (signal) => {
    const sentAtMs = clock.now();
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      (isTls ? getHttps : getHttp)(url, { agent, headers, signal }, resolve).once("error", reject);
    }).catch(explain);
    // The exporter counts at some moment between request and response.
    const atMs = (sentAtMs + clock.now()) / 2;
    requireText(response);
    const isOpenMetrics =
      response.headers["content-type"]?.startsWith("application/openmetrics-text") === true;
    const text = await readAll(response).catch(explain);
    const read = parseText(text, (name) => wanted.has(name), isOpenMetrics ? "openmetrics" : "prometheus");
    if (!read.isPrometheus) throw new UnreadableSource("its answer was no Prometheus text");
    const families = chosen.map((one) => ({ one, quantities: quantitiesOf(one, read) }));
    const quantities = [...knownQuantities(read), ...families.flatMap((family) => family.quantities)];
    const missing = families.flatMap(({ one, quantities: own }) =>
      own.length === 0 ? [describeFamily(one)] : [],
    );
    if (quantities.length === 0)
      throw new UnreadableSource(
        missing.length === 0
          ? "it has no family that bearhug knows; choose some: --monitor NAME=URL,FAMILY"
          : `it has no ${missing.join(", no ")}`,
      );
    return { quantities, atMs, missing };
  };
}

function requireText(response: IncomingMessage): void {
  const { statusCode = 0, headers } = response;
  const encoding = headers["content-encoding"] ?? "identity";
  if (statusCode === 200 && encoding === "identity") return;
  response.resume();
  if (statusCode === 200)
    throw new UnreadableSource(
      `it answered in ${encoding}, which was not asked for: turn off its compression`,
    );
  const words = `it answered ${`${statusCode} ${STATUS_CODES[statusCode] ?? ""}`.trimEnd()}`;
  throw new UnreadableSource(
    statusCode === 401 ? `${words}: set BEARHUG_MONITOR_TOKEN to the monitor's token` : words,
  );
}

async function readAll(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxBytes) {
      response.destroy();
      throw new UnreadableSource("its answer was longer than 16 MiB");
    }
  }
  return Buffer.concat(parts).toString("utf8");
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "it refused the connection",
  ENOTFOUND: "its host's name is unknown",
  EAI_AGAIN: "its host's name could not be looked up",
  ECONNRESET: "it closed the connection",
  EHOSTUNREACH: "its host cannot be reached",
  ENETUNREACH: "its network cannot be reached",
  ETIMEDOUT: "its host did not answer",
};

function explain(error: unknown): never {
  if (error instanceof UnreadableSource) throw error;
  const isLate = error instanceof Error && (error.name === "AbortError" || error.name === "TimeoutError");
  if (isLate) throw new UnreadableSource("it did not answer within 5 s", { cause: error });
  const code = errorCode(error) ?? "";
  const reason = reasons[code] ?? `it could not be read: ${errorMessage(error)}`;
  throw new UnreadableSource(reason, { cause: error });
}
