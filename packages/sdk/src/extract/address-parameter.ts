import type { Answer } from "./answer.ts";

/** Name and value of a parameter, decoded. */
export type Parameter = readonly [name: string, value: string];

/** The parameters of the address that answered, then of its `location`. */
export function addressParameters(answer: Answer): Parameter[] {
  return [...parametersOf(answer.url), ...parametersOf(answer.header("location") ?? "")];
}

/** Returns the parameters in the query of an address, then those in its fragment. The address may be relative. */
function parametersOf(address: string): Parameter[] {
  const hash = address.indexOf("#");
  const beforeHash = hash < 0 ? address : address.slice(0, hash);
  const fragment = hash < 0 ? "" : address.slice(hash + 1);
  const query = beforeHash.indexOf("?");
  // Single-page applications write their routes into the fragment: #/callback?code=…
  const inFragment = fragment.slice(fragment.indexOf("?") + 1);
  return [...parsePairs(query < 0 ? "" : beforeHash.slice(query + 1)), ...parsePairs(inFragment)];
}

function parsePairs(text: string): Parameter[] {
  if (text === "") return [];
  return text.split("&").map((pair) => {
    const equals = pair.indexOf("=");
    return equals < 0 ? [decode(pair), ""] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
  });
}

function decode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
