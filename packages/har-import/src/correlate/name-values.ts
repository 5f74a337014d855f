import { Identifiers } from "../identifiers.ts";
import { knownText } from "../value.ts";
import type { Use } from "./collect-uses.ts";
import { isIdName, isStableName, ownerOf, wordsOf } from "./names.ts";
import type { PlacedRequest, Source } from "./source.ts";

/** Leaves room for a number: an identifier has at most 30. */
const maxLength = 24;
/** Names that say nothing by themselves: `orderId` rather than `id`. */
const bare = /^(id|uuid|guid|key|value|code|number|no|ref|hash|name|content)$/i;

/** Keys around everything that an answer says. */
const envelope = /^(data|result|response|payload|attributes|item|node)$/i;

/** A segment of a path that says what it is of, and is no id. */
const segment = /^[A-Za-z_-]{1,24}$/;

/** Gives values names that a developer would: identifiers, each once. */
export class ValueNames {
  readonly #identifiers = new Identifiers();
  readonly #counts = new Map<string, number>();

  ofSource({ seen, by }: Source, use: Use): string {
    if (use.kind === "address" && isStableName(seen.within) && /^(href|uri|url|link)$/i.test(seen.name))
      return this.#take(`${seen.within} ${seen.name}`);
    // `orders` stands before the id of one of them: in the text that it was found in as in the path that it goes to.
    const segmentOwner = use.kind === "path" ? ownerOf(use.name) : "";
    if (segmentOwner !== "" && !isIdName(seen.name) && wordsOf(seen.name).includes(segmentOwner))
      return this.#take(`${segmentOwner} id`);
    if (!bare.test(seen.name) && isStableName(seen.name)) return this.#take(seen.name);
    if (use.kind !== "path" && !bare.test(use.name) && isNameable(use)) return this.#take(use.name);
    const within = isStableName(seen.within) && !envelope.test(seen.within) ? seen.within : "";
    // A parameter of an address that an answer led to is not of what was asked for.
    const asked = "query" in seen.from ? "" : lastWordOf(by);
    const owners = [within, use.kind === "path" ? use.name : "", asked].map(ownerOf);
    const owner = owners.find((one) => one !== "" && isStableName(one));
    return this.#take(owner === undefined ? seen.name : `${owner} id`);
  }

  /** For a value that the browser made up. */
  ofUse(use: Use): string {
    return this.#take(isNameable(use) ? use.name : "value");
  }

  #take(preferred: string): string {
    // A letter first, and without what only says that it is a header or a field.
    const words = preferred.replace(/^[^A-Za-z]+/, "").replace(/^(x|data)-(?=.)/i, "");
    const name = isStableName(words) ? words.slice(0, maxLength) : "value";
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return this.#identifiers.take(count === 1 ? name : `${name}${count}`);
  }
}

/** Returns the last segment of a request's path that is a word. */
function lastWordOf({ request }: PlacedRequest): string {
  return request.path.map(({ value }) => knownText(value) ?? "").findLast((text) => segment.test(text)) ?? "";
}

/** A path's segment is named after the one before it, which may be anything. */
function isNameable({ name }: Use): boolean {
  return isStableName(name) && wordsOf(name).length > 0 && !/^authorization$/i.test(name);
}
