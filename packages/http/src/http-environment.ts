import type { Tracer } from "@bearhug/plan/clients/tracer";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import type { Clock } from "@bearhug/plan/pacing/clock";
import type { RandomSource } from "@bearhug/plan/pacing/random-source";
import type { Mask } from "@bearhug/text/secret-mask";

import type { Deadlines } from "./exchange/deadlines.ts";
import type { BodyBudget, LastBodies } from "./exchange/last-bodies.ts";
import type { ExchangeRecorder } from "./exchange/exchange-recorder.ts";
import type { EndpointCache } from "./request/endpoint-cache.ts";
import type { MissingValues } from "./request/missing-values.ts";
import type { ExchangeLimits } from "./request/request-limits.ts";
import type { DecodedSizes } from "./exchange/decoded-sizes.ts";
import type { CachedBodies } from "./session/browser-cache.ts";

/** State that the clients of a scenario's VUs share, with the counters and recorders of their requests. */
export interface HttpEnvironment {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly options: ValidatedHttp;
  readonly limits: ExchangeLimits;
  readonly baseUrl: string | null;
  readonly endpoints: EndpointCache;
  /** Null for addresses from the command line, which are sent as they are. */
  readonly missingValues: MissingValues | null;
  /** The problem with a value that is missing in `http`, for which each request fails; null without one. */
  readonly faultyDefaults: string | null;
  /** True for addresses from the command line: the responses of each should be alike. */
  readonly watchesSizes: boolean;
  readonly recorder: ExchangeRecorder;
  /** Null unless each step of the test is traced. */
  readonly tracer: Tracer | null;
  /** The bodies in the caches of all VUs, each kept once. */
  readonly cachedBodies: CachedBodies;
  /** Limits the memory of the bodies that a worker keeps. */
  readonly bodies: BodyBudget;
  /** Recent bodies, shared by equal responses of a worker. */
  readonly lastBodies: LastBodies;
  /** Names and values in turn. */
  readonly defaultHeaders: readonly string[];
  /** The variant's headers, names and values in turn. They are defaults, and override a request's own. */
  readonly variantHeaders: readonly string[];
  /** Null without variants. */
  readonly decodedSizes: DecodedSizes | null;
  /** For arbitrary parts of a request, such as multipart boundaries. */
  readonly random: RandomSource;
  /** The test's folder: paths of files to send are relative to it. */
  readonly folder: string;
  /** Masks secrets in quotes from responses. */
  readonly mask: Mask;
}
