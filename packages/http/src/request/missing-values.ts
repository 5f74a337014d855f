import { RequestFault } from "./request-fault.ts";

/** Matches text that a missing or unsuitable value leaves in an address. */
const traces = /undefined|NaN|null|object/;
const whole = /^(?:undefined|NaN)(?:\.\w+)?$/;
const wholeInPath = /^(?:undefined|NaN|null)(?:\.\w+)?$/;
const parsed = /^(?:https?:\/\/[^/?#]*)?([^?#]*)\??([^#]*)/i;
const described = /(?:\[|%5B)object(?: |%20|\+)\w+(?:\]|%5D)/i;

/** Returns true if a path or query may contain such text: a cheap check that is seldom true. */
export function mayMissValue(pathAndQuery: string): boolean {
  return traces.test(pathAndQuery);
}

/** A part of an address, and its place. */
interface SuspectPart {
  readonly place: "path" | "query";
  /** As written: a segment, or a name with its value. */
  readonly text: string;
}

/**
 * Returns the parts of an address that look like a missing value: `undefined` or `NaN` as a whole segment,
 * name or value; `null` only as a segment, because real sites request `?parent=null`; `[object Object]`
 * anywhere.
 */
function suspectParts(address: string): SuspectPart[] {
  const [, path = "", query = ""] = parsed.exec(address) ?? [];
  const segments = path
    .split("/")
    .filter((text) => wholeInPath.test(text) || described.test(text))
    .map((text) => ({ place: "path", text }) as const);
  const fields = query
    .split("&")
    .filter((text) => described.test(text) || text.split("=").some((one) => whole.test(one)))
    .map((text) => ({ place: "query", text }) as const);
  return [...segments, ...fields];
}

/**
 * Rejects addresses in which a value is missing, unless the test's own code contains the text: imported tests
 * repeat the addresses that a site requested.
 */
export class MissingValues {
  readonly #readCode: () => string;
  #code: string | null = null;

  /** `readCode` returns the test's code. It is called when the code is first needed. */
  constructor(readCode: () => string) {
    this.#readCode = readCode;
  }

  /** @throws {RequestFault} if a value is missing in the address, which is passed as the test gives it */
  refuse(method: string, address: string): void {
    const missing = suspectParts(address).find((part) => !this.#isWritten(part));
    if (missing === undefined) return;
    const { place, text } = missing;
    const [, path = ""] = parsed.exec(address) ?? [];
    const problem = `${method.toUpperCase()} ${path}: the ${place} has "${text}", ${causeOf(text)}.`;
    const way = place === "path" ? "set rawPath: true" : "give it with params";
    throw new RequestFault("INVALID_URL", `${problem} If it is meant so, ${way}.`);
  }

  #isWritten({ place, text }: SuspectPart): boolean {
    this.#code ??= this.#readCode();
    return this.#code.includes(place === "path" ? `/${text}` : text);
  }
}

function causeOf(text: string): string {
  if (/object(?: |%20|\+)Promise/i.test(text)) return "so a promise was not awaited";
  return described.test(text) ? "so an object stands where a text should" : "so a value is missing";
}
