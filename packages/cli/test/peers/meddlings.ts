import { request } from "node:http";
import { text } from "node:stream/consumers";

import type { Meddling, Passing } from "./meddling-proxy.ts";

/** Changes requests of one method and path. */
export function onRequest(line: string, change: (request: Passing) => Passing | Promise<Passing>): Meddling {
  return (request) => (`${request.method} ${request.path}` === line ? change(request) : request);
}

/** A title longer than the 40 characters that each application allows. */
export const withLongTitle = (request: Passing): Passing => ({
  ...request,
  body: request.body.replace("Milk", "Milk ".repeat(10).trim()),
});

/** The token of a form field, as a visitor without a session gets it on the login page. */
export function withTokenOfOthers(login: string, field: string): (request: Passing) => Promise<Passing> {
  return async (passing) => {
    const page = await get(login);
    const token = new RegExp(`name="${field}"[^>]* value="([^"]*)"`).exec(page)?.[1];
    if (token === undefined) throw new Error(`${login} has no field ${field}`);
    const own = new RegExp(`(?<=\\b${field}=)[^&]*`);
    return { ...passing, body: passing.body.replace(own, encodeURIComponent(token)) };
  };
}

async function get(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, (response) => {
      text(response).then(resolve, reject);
    })
      .on("error", reject)
      .end();
  });
}
