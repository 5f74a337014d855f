import { documentOf, entryOf, harOf, pageOf } from "../har-file.ts";

/** A place in a capture in which a test plants a secret. */
export interface Plant {
  /** Displayed when a test fails. */
  readonly place: string;
  /** Returns a capture with the secret in that place. */
  readonly plant: (secret: string) => unknown;
}

export const origin = "https://shop.test";
export const json = "application/json";
export const form = "application/x-www-form-urlencoded";

export function oneEntry(entry: Parameters<typeof entryOf>[1], url = `${origin}/api/items`): unknown {
  return harOf(
    [documentOf(`${origin}/`, { pageref: "p" }), entryOf(url, { pageref: "p", ...entry })],
    [pageOf("p", { title: "Shop" })],
  );
}

export function post(mimeType: string, postData: Record<string, unknown>): unknown {
  const headers = [{ name: "Content-Type", value: mimeType }];
  return oneEntry({
    _resourceType: "xhr",
    request: { method: "POST", headers, postData: { mimeType, ...postData } },
  });
}

export const postJson = (value: unknown): unknown => post(json, { text: JSON.stringify(value) });
export const base64 = (text: string): string => Buffer.from(text).toString("base64");
export const escaped = (text: string): string =>
  Array.from(text)
    .map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
export const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

export function header(name: string): Plant {
  return {
    place: `request header ${name}`,
    plant: (secret) => oneEntry({ request: { headers: [{ name, value: secret }] } }),
  };
}

/** Combines two places: the first reveals the secret by its name, the second would not. */
export function combine(named: Plant, other: Plant): Plant {
  return {
    place: `${other.place}, known from ${named.place}`,
    plant: (secret) => merge(named.plant(secret), other.plant(secret)),
  };
}

interface Har {
  readonly log: { readonly entries: readonly unknown[]; readonly pages?: readonly unknown[] };
}

function merge(left: unknown, right: unknown): unknown {
  const [first, second] = [left, right] as [Har, Har];
  return harOf(
    [...second.log.entries, ...first.log.entries],
    [...(second.log.pages ?? []), ...(first.log.pages ?? [])],
  );
}
