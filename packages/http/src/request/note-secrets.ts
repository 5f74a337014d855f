import { authSecrets } from "@bearhug/plan/http-options/auth";
import type { RequestOptions } from "@bearhug/sdk";
import { mayNameSecret } from "@bearhug/text/secrets/secret-names";
import type { SeenSecrets } from "@bearhug/text/seen-secrets";

import { formFieldsOf, isNodeFormData } from "./request-body.ts";
import { pairsOf } from "./pairs.ts";

/** Logins have few fields; a large object is data. */
const maxFields = 50;
/** `{ query: "…", variables: { login: { password: "…" } } }` */
const maxDepth = 3;
/** A longer text is data. */
const maxTextCharacters = 65_536;

/** Registers a request's secrets with the mask, by field names. A known value costs only a look-up. */
export function noteSecrets(options: RequestOptions, seen: SeenSecrets): void {
  const { headers, cookies, auth, form, multipart, json, body } = options;
  if (auth !== undefined && auth !== "none")
    for (const secret of authSecrets(auth)) seen.lookAtField("password", secret);
  if (headers !== undefined) {
    for (const [name, value] of pairsOf<string | readonly string[]>(headers)) {
      if (typeof value === "string") seen.lookAtHeader(name, value);
      else for (const one of value) seen.lookAtHeader(name, one);
    }
  }
  if (cookies !== undefined)
    for (const [name, value] of Object.entries(cookies)) seen.lookAtCookie(`${name}=${value}`);
  if (form !== undefined) noteFields(form, seen);
  if (multipart !== undefined) noteFields(multipart, seen);
  if (body instanceof URLSearchParams || isNodeFormData(body)) noteFields(body, seen);
  if (typeof json === "object" && json !== null) noteJson(json, maxFields, maxDepth, seen);
}

/** Registers the secrets of a body that is the text of a form or JSON. This takes as long as to parse it. */
export function noteTextSecrets(body: string, seen: SeenSecrets): void {
  if (body.length > maxTextCharacters || !mayNameSecret(body)) return;
  noteFields(formFieldsOf({ body }), seen);
  if (!/^\s*[[{]/.test(body)) return;
  try {
    const json: unknown = JSON.parse(body);
    if (typeof json === "object" && json !== null) noteJson(json, maxFields, maxDepth, seen);
  } catch {
    // It is no JSON.
  }
}

/** Returns how many more fields may be checked. */
function noteJson(json: object, limit: number, depth: number, seen: SeenSecrets): number {
  let left = limit;
  const isList = Array.isArray(json);
  const fields: Iterable<[key: number | string, value: unknown]> = isList
    ? json.slice(0, left).entries()
    : Object.entries(json);
  for (const [name, value] of fields) {
    if (left-- <= 0) break;
    if (typeof value === "string") {
      if (!isList) seen.lookAtField(String(name), value);
    } else if (typeof value === "object" && value !== null && depth > 0)
      left = noteJson(value, left, depth - 1, seen);
  }
  return left;
}

function noteFields(
  fields: Readonly<Record<string, unknown>> | Iterable<readonly [name: string, value: unknown]>,
  seen: SeenSecrets,
): void {
  for (const [name, value] of pairsOf(fields)) {
    for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      if (typeof one === "string") seen.lookAtField(name, one);
  }
}
