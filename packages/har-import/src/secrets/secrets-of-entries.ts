import type { CaptureEntry } from "../capture.ts";
import { findSecrets } from "./find-secrets.ts";
import { reachOf } from "./known-secrets.ts";
import { isSecretHeader } from "./secret-names.ts";

/**
 * What is secret in the heads of entries, whether they are replayed or not: credentials, cookies, what addresses carry.
 * It may stand in a title, or where no name gives it away.
 */
export function secretsOfEntries(entries: readonly CaptureEntry[]): string[] {
  const seen = new Set<string>();
  const secrets = new Set<string>();
  const add = (text: string, name: string, isHeader: boolean): void => {
    const key = `${name}\n${text}`;
    if (seen.has(key)) return;
    seen.add(key);
    for (const { start, end, kind, inner } of findSecrets(text, name, { isHeader, mayBeRandom: true })) {
      const found = [text.slice(start, end), ...inner];
      for (const one of found) if (kind !== "email" && reachOf(one, kind) === "anywhere") secrets.add(one);
    }
  };
  for (const { request, response } of entries) {
    for (const [name, value] of request.cookies) add(value, name, false);
    for (const [name, value] of [...request.headers, ...(response?.headers ?? [])]) {
      const lower = name.toLowerCase();
      if (lower === "cookie") continue;
      if (lower === "set-cookie") add(value.split(";", 1)[0] ?? "", "", false);
      else if (isSecretHeader(name)) add(value, name, true);
    }
    add(request.url, "", false);
  }
  return [...secrets];
}
