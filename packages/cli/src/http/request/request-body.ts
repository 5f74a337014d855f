import type { Fields, RequestOptions } from "@bearhug/sdk";

import { RequestFault } from "./request-fault.ts";

/** The body of a request as a transport writes it: bytes in memory, or a stream of them. */
export type RequestBody = Uint8Array | StreamedBody;

/** A body that is read while it is written. */
export interface StreamedBody {
  /** In bytes; null where nobody knows: then it is written in chunks. */
  readonly length: number | null;
  /** Whether it can be opened again, for a repeat or a redirect that keeps the body. */
  readonly isRepeatable: boolean;
  open(): AsyncIterable<Uint8Array>;
}

export interface EncodedBody {
  readonly body: RequestBody;
  /** Null where the test is to say what it sends. */
  readonly contentType: string | null;
}

/** The body of a request as it goes over the wire; null when it has none. */
export function encodeBody({ json, form, body }: RequestOptions): EncodedBody | null {
  const given = [json, form, body].filter((value) => value !== undefined).length;
  if (given > 1)
    throw new RequestFault("INVALID_REQUEST", "A request takes one of json, form and body, not several.");
  if (json !== undefined) return { body: Buffer.from(jsonText(json)), contentType: "application/json" };
  if (form !== undefined) {
    return { body: Buffer.from(encodeFields(form)), contentType: "application/x-www-form-urlencoded" };
  }
  if (body === undefined) return null;
  return { body: typeof body === "string" ? Buffer.from(body) : body, contentType: null };
}

/** Fields as in a form or a query; a list writes its name once for each value, undefined is left out. */
export function encodeFields(fields: Fields): string {
  const encoded = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) encoded.append(name, String(one));
    }
  }
  return encoded.toString();
}

function jsonText(value: unknown): string {
  const text: unknown = JSON.stringify(value);
  if (typeof text !== "string") {
    throw new RequestFault("INVALID_REQUEST", `json: a ${typeof value} cannot be written as JSON.`);
  }
  return text;
}
