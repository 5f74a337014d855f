import { isHtmlType, isJsonType, isRecord, reportsErrors, walkHtml } from "@bearhug/sdk/internal";
import { BodyUnavailableError, type RequestOptions, type Response } from "@bearhug/sdk";
import { isPasswordNextToUser, isSecretName } from "@bearhug/text/secrets/secret-names";

import type { HttpEnvironment } from "../http-environment.ts";
import type { BodyKind } from "./exchange-recorder.ts";
import type { Endpoint } from "../request/endpoint.ts";
import { lookAtText } from "../request/look-at-options.ts";
import { formFieldsOf } from "../request/request-body.ts";
import { RawResponseHeaders } from "../response/response-headers.ts";
import { ExchangeResponse, type ReceivedResponse } from "../response/response.ts";

/** Pages that show a form are smaller. */
const maxPageBytes = 1_048_576;
/** Larger responses are data. */
const maxJsonBytes = 65_536;

/**
 * Found in any JSON that reports errors, and not in most others, which say `"error":null` or `"success":true`.
 * Without the flag `i`, with which V8 takes five times as long.
 */
const mayReportErrors = /(?:rror|RROR)(?!s?"\s*:\s*(?:null|false|""|\[\]|\{\}))|"(?:success|ok)"\s*:\s*false/;

/** A request as the test gave it, and its response. */
interface Answered {
  readonly endpoint: Endpoint;
  readonly options: Pick<RequestOptions, "form" | "json" | "multipart" | "body" | "name">;
  readonly received: ReceivedResponse;
}

/**
 * Notes a request with a body that the target refuses with a status of 2xx: it shows the form again with the
 * field of the password, or its JSON reports errors. Call it only if the body was kept and the test does not
 * say by `expect` what it is about.
 */
export function noteRefusal(
  { clock, endpoints, mask, recorder }: HttpEnvironment,
  { endpoint, options, received }: Answered,
): void {
  const { body, name } = options;
  const { bodyBytes, rawHeaders } = received;
  const kind = kindOf(rawHeaders, recorder.bodyKinds);
  if (kind === null || bodyBytes > (kind === "page" ? maxPageBytes : maxJsonBytes)) return;
  // Not the response that the test gets: to read that would change it.
  const response = new ExchangeResponse(received, mask);
  const found =
    kind === "page" ? shownPassword(options, response) : jsonErrors(response, { endpoint, options });
  if (found === null) return;
  const row = name === undefined ? endpoints.rowOf(endpoint) : endpoints.row(name);
  if (kind === "page") recorder.recordFormShownAgain(endpoint, row, found, clock.now());
  else {
    // The message quotes the response, which may quote the request.
    if (typeof body === "string") lookAtText(body, mask.seen);
    recorder.recordJsonErrors(endpoint, row, found, clock.now());
  }
}

function kindOf(rawHeaders: readonly string[], known: WeakMap<readonly string[], BodyKind>): BodyKind {
  const found = known.get(rawHeaders);
  if (found !== undefined) return found;
  const headers = new RawResponseHeaders(rawHeaders);
  const type = headers.get("content-type") ?? "";
  // To decode JSON would take longer than to receive it.
  const isReadable = isJsonType(type) && headers.get("content-encoding") === null;
  const kind = isHtmlType(type) ? "page" : isReadable ? "json" : null;
  known.set(rawHeaders, kind);
  return kind;
}

/** Returns the name of a password's field that was sent and is in the page again; null without one. */
function shownPassword(options: RequestOptions, response: Response): string | null {
  const sent = new Map<string, unknown>();
  // A profile's form has an empty password, and the first page of a login in two steps sends none either.
  for (const [name, value] of formFieldsOf(options))
    if (value !== "" && value !== undefined && mayBePassword(name)) sent.set(name, value);
  if (sent.size === 0) return null;
  const page = readPage(response);
  if (!/password/i.test(page)) return null;
  const shown = new Set<string>();
  walkHtml(page, ({ name, isPassword }) => {
    if (isPassword && sent.has(name)) shown.add(name);
    return shown.size === sent.size;
  });
  // A registration sends its password twice. A page without the second field has the form of a login.
  const isWhole = (name: string): boolean =>
    Array.from(sent).every(([other, value]) => value !== sent.get(name) || shown.has(other));
  return Array.from(shown).find(isWhole) ?? null;
}

function mayBePassword(name: string): boolean {
  return isSecretName(name) || isPasswordNextToUser(name);
}

/** Returns the page; an empty text if it cannot be decoded, which matters only to a test that reads it. */
function readPage(response: Response): string {
  try {
    return response.text();
  } catch (error) {
    if (error instanceof BodyUnavailableError) return "";
    throw error;
  }
}

/** Returns JSON that reports errors, on one line; null for any other body. */
function jsonErrors(
  response: Response,
  { endpoint, options }: Pick<Answered, "endpoint" | "options">,
): string | null {
  const text = response.text();
  // Nearly all responses end here: to parse each of them would take as long as to receive it.
  if (!mayReportErrors.test(text) || validator.test(endpoint.plain.path)) return null;
  try {
    const value: unknown = JSON.parse(text);
    const answers = Array.isArray(value) ? value.filter(isAnswer) : [value];
    const isRefused = answers.some(
      (answer) => isRecord(answer) && reportsErrors(withoutData(answer, options)),
    );
    return isRefused ? JSON.stringify(value) : null;
  } catch {
    // It is no JSON, whatever its type says.
    return null;
  }
}

/** A path whose answer is about errors in what it was sent. */
const validator = /^[^?]*[/_.:-](?:[Vv]alidat(?:e|ion|or)|[Ll]int)(?![a-z])/;

/** Returns an answer without the errors that are what the test asked for. */
function withoutData(
  answer: Readonly<Record<string, unknown>>,
  { json }: Answered["options"],
): Readonly<Record<string, unknown>> {
  const isVerdict = typeof answer["valid"] === "boolean";
  const isSent = (name: string): boolean => isRecord(json) && Object.hasOwn(json, name);
  const { error, errors, ...others } = answer;
  return {
    ...others,
    ...(!isVerdict && !isSent("error") && !isMeasure(error) && { error }),
    ...(!isVerdict && !isSent("errors") && !isCount(errors) && { errors }),
  };
}

/** True for the error of an estimate. A whole number may be a code. */
function isMeasure(error: unknown): boolean {
  return typeof error === "number" && !Number.isInteger(error);
}

/** True for the number of errors, or several such numbers. */
function isCount(errors: unknown): boolean {
  if (typeof errors !== "object" || errors === null) return typeof errors === "number";
  return Object.values(errors).every((value) => typeof value === "number");
}

/** True for an item of a batch, as of GraphQL or JSON-RPC. Other items are data, such as jobs that failed. */
function isAnswer(item: unknown): boolean {
  return isRecord(item) && ["data", "errors", "jsonrpc"].some((name) => Object.hasOwn(item, name));
}
