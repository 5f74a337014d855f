import { type ClientRequest, request as requestHttp, type RequestOptions } from "node:http";
import { request as requestHttps } from "node:https";

/** Starts a request over HTTP or HTTPS that accepts the certificates of tests. */
export function requestUnverified(url: URL, options: RequestOptions = {}): ClientRequest {
  return url.protocol === "https:"
    ? requestHttps(url, { ...options, rejectUnauthorized: false })
    : requestHttp(url, options);
}
