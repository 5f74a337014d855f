import type { Place } from "@bearhug/plan/clients/client";

import type { HttpEnvironment } from "../http-environment.ts";
import type { Endpoint } from "../request/endpoint.ts";
import { isErrorPage, isRespelled, isSentBackToLogin, isSentToLogin } from "../request/redirects.ts";

/** A request that was redirected. */
export interface RedirectedRequest {
  readonly from: Endpoint;
  readonly to: Endpoint;
  /** The name that the test gives it; undefined if it is named by its address. */
  readonly name: string | undefined;
}

/**
 * Notes a request that ended at an error page, and a GET or a login that ended at a login page, with status 200
 * and no `expect`. A test that names its requests knows where they end, as far as logins are concerned.
 */
export function noteArrival(
  { clock, endpoints, recorder }: HttpEnvironment,
  place: Place,
  { from, to, name }: RedirectedRequest,
): void {
  if (isErrorPage(to.plain.path)) {
    const row = name === undefined ? endpoints.rowOf(from) : endpoints.row(name);
    if (!isErrorPage(from.plain.path)) recorder.recordErrorPage(from, row, to, clock.now());
    return;
  }
  if (name !== undefined || !endsAtLogin(from, to)) return;
  recorder.recordLogin(place, to.origin.text, endpoints.rowOf(from).name, endpoints.rowOf(to).name);
}

function endsAtLogin({ method, plain: { path } }: Endpoint, to: Endpoint): boolean {
  if (method === "GET") return isSentToLogin(path, to.plain.path);
  return method === "POST" && isSentBackToLogin(path, to.plain.path);
}

/**
 * Notes a POST that a redirect with this status turned into a GET of the same address, spelled in another way.
 */
export function noteDroppedBody(
  { clock, endpoints, recorder }: HttpEnvironment,
  { from, to, name }: RedirectedRequest,
  status: number,
): void {
  if (from.method === to.method || status === 303 || !isRespelled(from.url, to.url)) return;
  const row = name === undefined ? endpoints.rowOf(from) : endpoints.row(name);
  recorder.recordDroppedBody(from, row, status, to, clock.now());
}
