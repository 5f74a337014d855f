import type { Tags } from "../metrics/metric.ts";
import type { PlatformFetch } from "../platform-types.ts";

/** Options of `http.fetch` besides those of `fetch`. */
export interface FetchOptions {
  /**
   * Name under which the results group the requests. @default the method and path, with ids replaced by `:id`
   */
  readonly name?: string;
  /** Tags of the requests' samples. */
  readonly tags?: Tags;
}

type WithOptions<Fetch> = Fetch extends (input: infer Input, init?: infer Init) => infer Result
  ? (input: Input, init: NonNullable<Init> & FetchOptions) => Result
  : never;

/** The platform's `fetch`, which also accepts options for the measurement. */
export type MeasuredFetch = PlatformFetch & WithOptions<PlatformFetch>;

type Interceptor = (dispatch: never) => unknown;
type AnyMethod = (...given: never) => never;

type ClientMethod = "connect" | "pipeline" | "request" | "stream" | "upgrade";

type EmitterMethod =
  | "addListener"
  | "emit"
  | "eventNames"
  | "getMaxListeners"
  | "listenerCount"
  | "listeners"
  | "off"
  | "on"
  | "once"
  | "prependListener"
  | "prependOnceListener"
  | "rawListeners"
  | "removeAllListeners"
  | "removeListener"
  | "setMaxListeners";

/**
 * An undici `Dispatcher`, with a type that all versions of undici's types accept. Use it through undici's own
 * functions: `request(url, { dispatcher: http.dispatcher })`.
 */
export interface UndiciDispatcher extends Readonly<Record<ClientMethod | EmitterMethod, AnyMethod>> {
  dispatch(options: never, handler: never): boolean;
  /** Returns a dispatcher that runs these undici interceptors before this one. */
  compose(...interceptors: readonly (Interceptor | readonly Interceptor[])[]): UndiciDispatcher;
  close(): Promise<void>;
  destroy(): Promise<void>;
}
