import { errors, type Dispatcher } from "undici";

/** Options of a request, including those missing in undici's types. */
export interface EngineDispatchOptions extends Dispatcher.DispatchOptions {
  /** False forces HTTP/1.1, even if the server prefers HTTP/2. */
  readonly allowH2?: boolean;
}

/** Validates the same options of a request as undici's own client. @throws {errors.UndiciError} */
export function validateDispatch(request: EngineDispatchOptions): void {
  const { method, upgrade } = request;
  if (typeof method !== "string") throw invalid("method must be a string");
  if (method === "CONNECT" || isGiven(upgrade)) {
    if (isGiven(upgrade) && typeof upgrade !== "string") throw invalid("upgrade must be a string");
    throw new errors.NotSupportedError(
      "bearhug changes no protocol: neither upgrade nor CONNECT is supported",
    );
  }
  for (const name of ["headersTimeout", "bodyTimeout"] as const) {
    const value: unknown = request[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) throw invalid(`invalid ${name}`);
  }
  for (const name of ["reset", "expectContinue"]) {
    const value: unknown = Reflect.get(request, name);
    if (value !== undefined && value !== null && typeof value !== "boolean") throw invalid(`invalid ${name}`);
  }
  if (isSet(Reflect.get(request, "throwOnError"))) throw invalid("invalid throwOnError");
  const redirections: unknown = Reflect.get(request, "maxRedirections");
  if (isSet(redirections) && redirections !== 0) {
    throw invalid("maxRedirections is not supported, use the redirect interceptor");
  }
}

/** Returns true for a handler of undici 7 and older. */
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
