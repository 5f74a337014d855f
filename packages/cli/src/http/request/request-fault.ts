import { BearhugError } from "@bearhug/sdk";

import { toldFault } from "../../protocol/own-faults.ts";

/** Enough to reach the test's line: V8's usual ten end within the engine. */
const deepestFrame = 50;

/** A request that the test should not have made: the iteration fails at that line. */
export class RequestFault extends BearhugError {
  override readonly name = "RequestFault";
  readonly code: "INVALID_URL" | "HOST_NOT_ALLOWED" | "INVALID_REQUEST";
  constructor(code: RequestFault["code"], message: string) {
    super(message);
    this.code = code;
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = deepestFrame;
    Error.captureStackTrace(this, RequestFault);
    Error.stackTraceLimit = stackTraceLimit;
    toldFault(this);
  }
}

/** Returns true for a plain object: no instance of a class, and no array. */
export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Describes a value in a few words. Texts are not shown: they may be secrets. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value === "" ? "an empty string" : "a string";
    case "number":
    case "boolean":
    case "undefined":
      return String(value);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "an array" : isPlain(value) ? "an object" : classOf(value);
    case "bigint":
    case "function":
    case "symbol":
      return `a ${typeof value}`;
  }
}

/** The fault of a request whose options cannot be meant. */
export function invalid(sentence: string): RequestFault {
  return new RequestFault("INVALID_REQUEST", sentence);
}

function classOf(value: object): string {
  const { name } = value.constructor;
  if (name === "") return "of a class";
  return `${/^(?:[AEIO]|U(?!RL))/.test(name) ? "an" : "a"} ${name}`;
}
