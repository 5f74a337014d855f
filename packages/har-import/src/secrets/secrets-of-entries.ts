import { isSecretHeader } from "@bearhug/sdk/internal";
import type { CaptureEntry, PostData } from "../capture.ts";
import { isAnalyticsCookie } from "./analytics-cookies.ts";
import { readBase64Text } from "./base64-text.ts";
import { isWithheld } from "../request/withheld-body.ts";
import { findSecrets } from "./find-secrets.ts";
import { isOnesOwn, reachOf } from "./known-secrets.ts";

/** Longer values hardly come twice. */
const maxRemembered = 4_096;
const addresses = new Set(["referer", "location", "content-location", "refresh", "link"]);

/**
 * What is secret in requests, whether they are replayed or not: credentials, cookies, what addresses and bodies carry.
 * It may stand in a title, or where no name gives it away.
 */
export function secretsOfEntries(entries: readonly CaptureEntry[], titles: readonly string[] = []): string[] {
  const seen = new Set<string>();
  const secrets = new Set<string>();
  const add = (text: string, name: string, isHeader: boolean): void => {
    const key = text.length < maxRemembered ? `${name}\n${text}` : "";
    if (text === "" || (key !== "" && seen.has(key))) return;
    seen.add(key);
    for (const found of findSecrets(text, name, { isHeader, mayBeRandom: true })) {
      if (found.kind === "email") continue;
      for (const one of [text.slice(found.start, found.end), ...found.inner])
        if (reachOf(one, found.kind, found.name) === "anywhere") secrets.add(one);
    }
  };
  const addCookie = (name: string, value: string): void => {
    add(value, name, false);
    if (isOnesOwn(value) && !isAnalyticsCookie(name)) secrets.add(value);
  };
  const addPair = (pair: string): void => {
    const equals = pair.indexOf("=");
    addCookie(pair.slice(0, Math.max(equals, 0)).trim(), pair.slice(equals + 1).trim());
  };
  const addBody = ({ text, isBase64, params }: PostData): void => {
    add((isBase64 ? readBase64Text(text) : null) ?? text, "", false);
    for (const { name, value } of params) add(value, name, false);
  };
  for (const { request, response } of entries) {
    for (const [name, value] of request.cookies) addCookie(name, value);
    for (const [name, value] of [...request.headers, ...(response?.headers ?? [])]) {
      const lower = name.toLowerCase();
      if (lower === "cookie") continue;
      if (lower === "set-cookie") addPair(value.split(";", 1)[0] ?? "");
      else if (isSecretHeader(name)) add(value, name, true);
      else if (addresses.has(lower)) add(value, "", false);
    }
    add(request.url, "", false);
    if (response !== null) add(response.redirectUrl, "", false);
    if (request.postData !== null && !isWithheld(request.postData)) addBody(request.postData);
  }
  for (const title of titles) add(title, "", false);
  return [...secrets];
}
