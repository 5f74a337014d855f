import { closestName } from "@bearhug/sdk/internal";

import { judgeAuth, judgeExpect, judgeFields, judgeHeaders, judgeParts, judgeTags } from "./judge-values.ts";
import { bodyEncodings } from "./compress-body.ts";
import { describe, invalid, isPlain } from "./request-fault.ts";

const known: readonly string[] = [
  ...["json", "form", "multipart", "body", "params", "headers", "auth", "timeout", "signal"],
  ...["discardBodies", "maxBodySize", "redirects", "name", "tags", "expect", "rawPath"],
  ...["retryOnStaleConnection", "throwOnError", "compress"],
];

const switches: ReadonlySet<string> = new Set([
  "discardBodies",
  "rawPath",
  "retryOnStaleConnection",
  "throwOnError",
]);

const parts: readonly string[] = ["connect", "firstByte", "whole"];

/**
 * Judges the options of a request as they are at run time, where nothing has checked their types. Those that only one
 * place reads (bodies, lengths of times, `maxBodySize`) are judged there. It is on the way of every request, so it
 * walks over what is given and makes nothing.
 * @throws {RequestFault} for the first that cannot be meant
 */
export function judgeOptions(options: unknown): void {
  judge(options, false);
}

/**
 * Judges the requests of a batch, all before the first is sent.
 * @throws {RequestFault} for the first that is none
 */
export function judgeBatch(requests: unknown): void {
  if (!Array.isArray(requests))
    throw invalid(`batch takes an array of requests, but got ${describe(requests)}.`);
  for (const request of requests as readonly unknown[]) {
    if (typeof request === "string") continue;
    if (!isPlain(request) || request["url"] === undefined) {
      throw invalid(
        `batch takes URLs, or requests such as { method: "POST", url: "/orders" }, but got ${
          isPlain(request) ? "one without url" : describe(request)
        }.`,
      );
    }
    judge(request, true);
  }
}

function judge(options: unknown, isOfBatch: boolean): void {
  if (!isPlain(options)) {
    throw invalid(
      `The options of a request must be an object such as { json: … }, but are ${describe(options)}.`,
    );
  }
  for (const name in options) {
    const value = options[name];
    if (value !== undefined) judgeOption(name, value, isOfBatch);
  }
}

function judgeOption(name: string, value: unknown, isOfBatch: boolean): void {
  switch (name) {
    case "json":
    case "body":
    case "maxBodySize":
      return;
    case "headers":
      judgeHeaders(value);
      return;
    case "params":
    case "form":
      judgeFields(name, value);
      return;
    case "multipart":
      judgeParts(value);
      return;
    case "auth":
      judgeAuth(value);
      return;
    case "timeout":
      judgeTimeout(value);
      return;
    case "signal":
      judgeSignal(value);
      return;
    case "redirects":
      if (Number.isInteger(value) && Number(value) >= 0) return;
      throw invalid(`redirects must be a whole number, 0 or more, but is ${describe(value)}.`);
    case "name":
      if (typeof value === "string" && value !== "") return;
      throw invalid(`name must be a non-empty string, but is ${describe(value)}.`);
    case "tags":
      judgeTags(value);
      return;
    case "expect":
      judgeExpect(value);
      return;
    case "compress":
      if (bodyEncodings.some((encoding) => encoding === value)) return;
      throw wrongEncoding(value);
    case "method":
    case "url":
      if (isOfBatch) return;
      throw invalid(`${name} is an option only in a batch; here it is an argument before the options.`);
    default:
      if (!switches.has(name)) throw unknownName(name, "a request", known);
      if (typeof value === "boolean") return;
      throw invalid(`${name} must be true or false, but is ${describe(value)}.`);
  }
}

function wrongEncoding(value: unknown): Error {
  const names = bodyEncodings.map((encoding) => JSON.stringify(encoding)).join(", ");
  const meant = typeof value === "string" ? closestName(value, bodyEncodings) : undefined;
  const advice = meant === undefined ? "." : `: did you mean ${JSON.stringify(meant)}?`;
  const given = typeof value === "string" ? JSON.stringify(value) : describe(value);
  return invalid(`compress must be one of ${names}, but is ${given}${advice}`);
}

function judgeSignal(value: unknown): void {
  if (value instanceof AbortSignal) return;
  throw invalid(
    `signal must be an AbortSignal, but is ${describe(value)}: pass the signal of an AbortController.`,
  );
}

/** Durations are validated where they are read. */
function judgeTimeout(value: unknown): void {
  if (isTime(value)) return;
  if (!isPlain(value)) {
    throw invalid(
      `timeout must be a time such as "30s", or { connect, firstByte, whole }, but is ${describe(value)}.`,
    );
  }
  for (const name in value) {
    if (!parts.includes(name)) throw unknownName(name, "timeout", parts);
    const time = value[name];
    if (time === undefined || isTime(time)) continue;
    throw invalid(
      `timeout.${name} must be a time such as "30s", or a number of milliseconds, but is ${describe(time)}.`,
    );
  }
}

function isTime(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

function unknownName(name: string, owner: string, names: readonly string[]): Error {
  const meant = closestName(name, names);
  const advice = meant === undefined ? `it takes ${names.join(", ")}.` : `did you mean ${meant}?`;
  return invalid(`${JSON.stringify(name)} is not an option of ${owner}: ${advice}`);
}
