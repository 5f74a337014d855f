import { readFileSync } from "node:fs";

import * as z from "zod";

/** A request as sent over the wire, as far as a capture records that. */
export interface WireRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** Empty if the request has none. */
  readonly contentType: string;
  readonly body: Buffer;
}

export interface RecordedRequest extends WireRequest {
  readonly host: string;
  /** The URL as the capture has it. */
  readonly url: string;
  /** The fields of a form if the capture has them instead of the body's bytes; otherwise null. */
  readonly fields: readonly RecordedField[] | null;
}

export interface RecordedField {
  readonly name: string;
  readonly value: string;
}

export interface RecordedResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly isText: boolean;
}

/** An entry of a capture. The oracle reads it by itself, because the importer's reading is what it tests. */
export interface RecordedExchange {
  readonly index: number;
  readonly request: RecordedRequest;
  readonly response: RecordedResponse;
}

const pairSchema = z.object({ name: z.string(), value: z.string() });
const text = z.string().nullish();
const entrySchema = z.object({
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.array(pairSchema).nullish(),
    postData: z
      .object({
        mimeType: text,
        text,
        encoding: text,
        params: z.array(z.object({ name: z.string(), value: text })).nullish(),
      })
      .nullish(),
  }),
  response: z
    .object({
      status: z.number().nullish(),
      headers: z.array(pairSchema).nullish(),
      content: z.object({ mimeType: text, text, encoding: text }).nullish(),
    })
    .nullish(),
});
const harSchema = z.object({ log: z.object({ entries: z.array(entrySchema) }) });

type Entry = z.infer<typeof entrySchema>;

/** Reads a whole capture; other tests cover truncated ones. */
export function readExchanges(path: string): RecordedExchange[] {
  const { log } = harSchema.parse(JSON.parse(readFileSync(path, "utf8").replace(/^\ufeff/, "")));
  return log.entries.map((entry, index) => ({
    index,
    request: readRequest(entry.request),
    response: readResponse(entry.response),
  }));
}

function readRequest({ method, url, headers, postData }: Entry["request"]): RecordedRequest {
  const named = (name: string): string | undefined =>
    headers?.find((header) => header.name.toLowerCase() === name)?.value;
  const address = parse(url, named("host"));
  const recorded = bytesOf(postData?.text, postData?.encoding);
  const fields = postData?.params?.map(({ name, value }) => ({ name, value: value ?? "" })) ?? [];
  const isWithoutText = recorded.length === 0 && fields.length > 0;
  const body = isWithoutText ? Buffer.from(new URLSearchParams(fields.map(toPair)).toString()) : recorded;
  return {
    method,
    url,
    host: address?.host ?? "",
    target: address === null ? url : address.pathname + address.search,
    contentType: named("content-type") ?? (body.length > 0 ? (postData?.mimeType ?? "") : ""),
    body,
    fields: isWithoutText ? fields : null,
  };
}

function toPair({ name, value }: RecordedField): [string, string] {
  return [name, value];
}

function parse(url: string, host: string | undefined): URL | null {
  const whole = url.startsWith("/") && host !== undefined ? `https://${host}${url}` : url;
  return URL.canParse(whole) ? new URL(whole) : null;
}

function readResponse(response: Entry["response"]): RecordedResponse {
  const { status, headers, content } = response ?? {};
  const mimeType = content?.mimeType ?? "";
  return {
    status: status ?? 0,
    headers: (headers ?? []).flatMap(({ name, value }) =>
      // Some recorders join the values of a repeated header with newlines.
      value.split("\n").map((line): [string, string] => [name.toLowerCase(), line]),
    ),
    body: bytesOf(content?.text, content?.encoding),
    isText: /text|json|xml|javascript|urlencoded/i.test(mimeType),
  };
}

function bytesOf(recorded: string | null | undefined, encoding: string | null | undefined): Buffer {
  const written = recorded ?? "";
  if (encoding === "base64") return Buffer.from(written, "base64");
  // Chrome writes a body that is not UTF-8 with one character for each byte.
  const isOfBytes = written.includes("\0") && !/[^\p{ASCII}\x80-\xff]/u.test(written);
  return Buffer.from(written, isOfBytes ? "latin1" : "utf8");
}
