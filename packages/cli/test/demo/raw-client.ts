import { type IncomingHttpHeaders, type IncomingMessage, request, type RequestOptions } from "node:http";
import { buffer } from "node:stream/consumers";

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends one request without following redirects, decoding the body or adding headers. */
export async function rawRequest(url: string, options: RequestOptions = {}): Promise<RawResponse> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, options, resolve).once("error", reject).end();
  });
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}
