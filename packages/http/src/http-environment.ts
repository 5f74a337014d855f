import type { Tracer } from "@bearhug/plan/clients/tracer";
import type { Clock } from "@bearhug/plan/pacing/clock";
import type { RandomSource } from "@bearhug/plan/pacing/random-source";
import type { ValidatedHttp } from "@bearhug/sdk/internal";
import type { Mask } from "@bearhug/text/secret-mask";

import type { Deadlines } from "./exchange/deadlines.ts";
import type { BodyBudget } from "./exchange/last-bodies.ts";
import type { ExchangeRecorder } from "./exchange/exchange-recorder.ts";
import type { LastBodies } from "./exchange/last-bodies.ts";
import type { EndpointCache } from "./request/endpoint-cache.ts";
import type { MissingValues } from "./request/missing-values.ts";
import type { ExchangeLimits } from "./request/request-limits.ts";
import type { DecodedSizes } from "./exchange/decoded-sizes.ts";
import type { CachedBodies } from "./session/browser-cache.ts";

/** The parts that the clients of a scenario's VUs share, and the counters and recorders of their requests. */
export interface HttpEnvironment {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly options: ValidatedHttp;
  readonly limits: ExchangeLimits;
  readonly baseUrl: string | null;
  readonly endpoints: EndpointCache;
  /** Null for addresses from the command line: they are meant as they are. */
  readonly missingValues: MissingValues | null;
  readonly recorder: ExchangeRecorder;
  /** Null unless somebody watches each step of the test. */
  readonly tracer: Tracer | null;
  /** The bodies in the caches of all VUs, each kept once. */
  readonly cachedBodies: CachedBodies;
  /** Bounds the bodies that a worker keeps. */
  readonly bodies: BodyBudget;
  /** The bodies that a worker's responses share. */
  readonly lastBodies: LastBodies;
  /** Names and values in turn. */
  readonly defaultHeaders: readonly string[];
  /** Those of the variant, names and values in turn: they are among the defaults, and replace what a request gives. */
  readonly variantHeaders: readonly string[];
  /** Null without variants. */
  readonly decodedSizes: DecodedSizes | null;
  /** For what is arbitrary in a request, such as the boundary of a body in parts. */
  readonly random: RandomSource;
  /** The test's folder: paths of files to send are relative to it. */
  readonly folder: string;
  /** For what is quoted of a response. */
  readonly mask: Mask;
}
