import { Identifiers } from "../identifiers.ts";
import { textOf } from "../value.ts";
import type { Use, PlacedRequest } from "./uses.ts";
import { isIdName, isStableName, ownerOf, wordsOf } from "./names.ts";
import type { Source } from "./read-sources.ts";

/** Leaves room for a number: an identifier has at most 30. */
const maxLength = 24;
/** Names that are too vague on their own: `orderId` rather than `id`. */
const bare = /^(id|uuid|guid|key|value|code|number|no|ref|hash|name|content)$/i;

/** Keys that wrap the whole content of a response. */
const envelope = /^(data|result|response|payload|attributes|item|node)$/i;

/** A path segment that is a word and not an id. */
const segment = /^[A-Za-z_-]{1,24}$/;

/** Gives values names that a developer would choose: identifiers, each used once. */
export class ValueNames {
  readonly #identifiers = new Identifiers();
  readonly #counts = new Map<string, number>();

  ofSource({ seen, by }: Source, use: Use): string {
    if (use.kind === "address" && isStableName(seen.within) && /^(href|uri|url|link)$/i.test(seen.name))
      return this.#take(`${seen.within} ${seen.name}`);
    // `orders` precedes the id of an order, both in the text where it was found and in the path where it is
    // sent.
    const segmentOwner = use.kind === "path" ? ownerOf(use.name) : "";
    if (segmentOwner !== "" && !isIdName(seen.name) && wordsOf(seen.name).includes(segmentOwner))
      return this.#take(`${segmentOwner} id`);
    if (!bare.test(seen.name) && isStableName(seen.name)) return this.#take(seen.name);
    if (use.kind !== "path" && !bare.test(use.name) && isNameable(use)) return this.#take(use.name);
    const within = isStableName(seen.within) && !envelope.test(seen.within) ? seen.within : "";
    // A query parameter of a redirect does not belong to the object that was requested.
    const requestedWord = "query" in seen.from ? "" : lastWordOf(by);
    const owners = [within, use.kind === "path" ? use.name : "", requestedWord].map(ownerOf);
    const owner = owners.find((one) => one !== "" && isStableName(one));
    return this.#take(owner === undefined ? seen.name : `${owner} id`);
  }

  /** Returns a name for a value that the browser generated. */
  ofUse(use: Use): string {
    return this.#take(isNameable(use) ? use.name : "value");
  }

  #take(preferred: string): string {
    // Begin with a letter, and drop prefixes that only mark a header or a data attribute.
    const words = preferred.replace(/^[^A-Za-z]+/, "").replace(/^(x|data)-(?=.)/i, "");
    const name = isStableName(words) ? words.slice(0, maxLength) : "value";
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return this.#identifiers.take(count === 1 ? name : `${name}${count}`);
  }
}

/** Returns the last segment of a request's path that is a word. */
function lastWordOf({ request }: PlacedRequest): string {
  return request.path.map(textOf).findLast((text) => segment.test(text)) ?? "";
}

/**
 * Returns true if the use's name suits an identifier. A path segment is named after the one before it: any
 * text.
 */
function isNameable({ name }: Use): boolean {
  return isStableName(name) && wordsOf(name).length > 0 && !/^authorization$/i.test(name);
}
