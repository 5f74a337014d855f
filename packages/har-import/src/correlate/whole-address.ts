import { isSecretName } from "@bearhug/sdk/internal";
import type { CapturedRequest } from "../capture-model.ts";
import { knownText } from "../value.ts";
import { isDistinctive } from "./distinctive.ts";
import { isOfOneRecording } from "./recorded-segment.ts";
import type { Source } from "./source.ts";
import { isStaticFile } from "./static-file.ts";
import type { Use } from "./use.ts";

/**
 * The address of a request as an answer may have handed it out, with the origin and without. None for an address of
 * words and plain ids: a person reads more in those. None for one that begins with two slashes: it would name a host.
 */
export function addressesOf(request: CapturedRequest): string[] {
  if (isStaticFile(request) || (request.query.length === 0 && !isMadeUp(request))) return [];
  const path = request.path.map(({ value, written }) => written ?? knownText(value) ?? "").join("/");
  const query = request.query.map(({ value, written }) => written ?? knownText(value) ?? "").join("&");
  const address = `/${path}${request.query.length === 0 ? "" : `?${query}`}`;
  return address.startsWith("//") ? [] : [`${request.origin}${address}`, address];
}

/** Which segments and parameters, counted through both, an address that is handed out says anew: all but words. */
export function saidAnew(request: CapturedRequest): number[] {
  const segments = segmentsOf(request);
  return [...request.path, ...request.query].flatMap((_, index) => {
    const isWord =
      index < segments.length && !/\d/.test(segments[index] ?? "") && !isOfOneRecording(segments, index);
    return isWord ? [] : [index];
  });
}

/** Whether an answer gives the whole address of a request. One of many is a person's choice, unless nobody could type it. */
export function givesAddress({ by, seen }: Source, use: Use): boolean {
  if (seen.value.startsWith("/") && by.request.origin !== use.by.request.origin) return false;
  return !("between" in seen.from) && (!seen.isOneOfMany || isMadeUp(use.by.request));
}

function isMadeUp(request: CapturedRequest): boolean {
  const segments = segmentsOf(request);
  return (
    segments.some((_, index) => isOfOneRecording(segments, index)) ||
    request.query.some(({ name, value }) => isSecretName(name) || isDistinctive(knownText(value) ?? ""))
  );
}

function segmentsOf({ path }: CapturedRequest): string[] {
  return path.map(({ value, written }) => written ?? knownText(value) ?? "");
}
