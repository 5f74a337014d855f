import { errors, type Dispatcher } from "undici";

/** Options of a request, with those that undici's types leave out. */
export interface EngineDispatchOptions extends Dispatcher.DispatchOptions {
  /** False: HTTP/1.1, also with a server that prefers HTTP/2. */
  readonly allowH2?: boolean;
}

/** Validates what undici's own client does of a request. @throws {errors.UndiciError} */
export function validateDispatch(asked: EngineDispatchOptions): void {
  const { method, upgrade } = asked;
  if (typeof method !== "string") throw invalid("method must be a string");
  if (method === "CONNECT" || isGiven(upgrade)) {
    if (isGiven(upgrade) && typeof upgrade !== "string") throw invalid("upgrade must be a string");
    throw new errors.NotSupportedError(
      "bearhug changes no protocol: neither upgrade nor CONNECT is supported",
    );
  }
  for (const name of ["headersTimeout", "bodyTimeout"] as const) {
    const value: unknown = asked[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) throw invalid(`invalid ${name}`);
  }
  for (const name of ["reset", "expectContinue"]) {
    const value: unknown = Reflect.get(asked, name);
    if (value !== undefined && value !== null && typeof value !== "boolean") throw invalid(`invalid ${name}`);
  }
  if (isSet(Reflect.get(asked, "throwOnError"))) throw invalid("invalid throwOnError");
  const redirections: unknown = Reflect.get(asked, "maxRedirections");
  if (isSet(redirections) && redirections !== 0) {
    throw invalid("maxRedirections is not supported, use the redirect interceptor");
  }
}

/** A handler of undici 7 and before: any object but the newer ones. */
export function isOldHandler(handler: unknown): boolean {
  return typeof handler === "object" && handler !== null && "onConnect" in handler;
}

/** Validates that a handler has the methods of undici's handlers. @throws {errors.InvalidArgumentError} */
export function validateHandler(handler: unknown): asserts handler is Dispatcher.DispatchHandler {
  if (typeof handler !== "object" || handler === null) throw invalid("handler must be an object");
  for (const name of calls) {
    const call: unknown = Reflect.get(handler, name);
    if (call === undefined && optional.has(name)) continue;
    if (typeof call !== "function") throw invalid(`invalid ${name} method`);
  }
}

const optional: ReadonlySet<string> = new Set(["onBodySent", "onRequestSent"]);
const calls = ["onRequestStart", "onResponseError", "onBodySent", "onRequestSent"] as const;

function isGiven(upgrade: unknown): boolean {
  return isSet(upgrade) && upgrade !== false && upgrade !== "";
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function invalid(sentence: string): Error {
  return new errors.InvalidArgumentError(sentence);
}
