import { text } from "node:stream/consumers";

import type { Meddling, Passing } from "./meddling-proxy.ts";
import { requestUnverified } from "./request-unverified.ts";

/** Returns a meddling that changes requests with one method and path. */
export function onRequest(line: string, change: (request: Passing) => Passing | Promise<Passing>): Meddling {
  return (request) => (`${request.method} ${request.path}` === line ? change(request) : request);
}

/** Returns a meddling that changes the nth request with one method and path, from 1. */
export function onNthRequest(nth: number, line: string, change: (request: Passing) => Passing): Meddling {
  let count = 0;
  return onRequest(line, (request) => (++count === nth ? change(request) : request));
}

/** Sends a title longer than the 40 characters that each application allows. */
export const withLongTitle = (request: Passing): Passing => ({
  ...request,
  body: request.body.replace("Milk", "Milk ".repeat(10).trim()),
});

/** Replaces the token of a form field with one that a visitor without a session gets on the login page. */
export function withTokenOfOthers(login: string, field: string): (request: Passing) => Promise<Passing> {
  return async (passing) => {
    const page = await get(login);
    const token = new RegExp(`name="${field}"[^>]* value="([^"]*)"`).exec(page)?.[1];
    if (token === undefined) throw new Error(`${login} has no field ${field}`);
    const own = new RegExp(`(?<=\\b${field}=)[^&]*`);
    return { ...passing, body: passing.body.replace(own, encodeURIComponent(token)) };
  };
}

/** Replaces the session in a cookie with one that has expired. */
export function withExpiredSession(cookie: string): (request: Passing) => Passing {
  const own = new RegExp(`(?<=\\b${cookie}=)[^;]*`);
  return (passing) => {
    const cookies = passing.headers.cookie ?? "";
    if (!own.test(cookies)) throw new Error(`${passing.method} ${passing.path} has no cookie ${cookie}`);
    return { ...passing, headers: { ...passing.headers, cookie: cookies.replace(own, "expired") } };
  };
}

/** Sends the request as if from the page of another site, as a forgery does. */
export const withOriginOfOthers = (request: Passing): Passing => ({
  ...request,
  headers: { ...request.headers, origin: "https://others.example" },
});

async function get(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    requestUnverified(new URL(url))
      .on("response", (response) => {
        text(response).then(resolve, reject);
      })
      .on("error", reject)
      .end();
  });
}
