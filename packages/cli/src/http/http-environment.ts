import type { Clock } from "../pacing/clock.ts";
import type { Mask } from "../secret-mask.ts";
import type { Deadlines } from "./exchange/deadlines.ts";
import type { EndpointCache } from "./request/endpoint.ts";
import type { ExchangeRecorder } from "./exchange/exchange-recorder.ts";

/** What the clients of a worker's VUs share, and where their requests are counted and recorded. */
export interface HttpEnvironment {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly endpoints: EndpointCache;
  readonly recorder: ExchangeRecorder;
  readonly defaultHeaders: readonly string[];
  /** For what is quoted of a response. */
  readonly mask: Mask;
}
