import type { AnyTestDefinition, ValidatedHttp } from "@bearhug/sdk/internal";

import type { RowsByFeed } from "../feeds/loaded-feeds.ts";
import type { MakeFetchClient } from "../http/client.ts";
import { AllowedHosts } from "../http/request/allowed-hosts.ts";
import type { HttpEnvironment } from "../http/http-environment.ts";
import type { SpeakUndici } from "../http/undici/undici-connection.ts";
import { Networks } from "../http/pool/networks.ts";
import { Deadlines } from "../http/exchange/deadlines.ts";
import { BodyBudget } from "../http/exchange/body-budget.ts";
import { EndpointCache } from "../http/request/endpoint-cache.ts";
import { MovedHosts } from "../http/request/moved-hosts.ts";
import { defaultLimits } from "../http/request/request-limits.ts";
import { ExchangeRecorder } from "../http/exchange/exchange-recorder.ts";
import { LoopWatch } from "../health/loop-watch.ts";
import { ErrorLog } from "../metrics/error-log.ts";
import { metricCatalog } from "../metrics/metric-catalog.ts";
import { MetricRegistry } from "../metrics/registry.ts";
import { own, type MaskedText } from "../masked-text.ts";
import type { Clock } from "../pacing/clock.ts";
import { randomSource } from "../pacing/random-source.ts";
import type { LogLine } from "../protocol/messages.ts";
import type { RunPlan } from "../protocol/plan.ts";
import type { SharedAccounting } from "../protocol/shared-accounting.ts";
import { bodiesTakeTooMuch } from "../http/response/response.ts";
import { CachedBodies } from "../http/session/cached-bodies.ts";
import type { Mask } from "../secret-mask.ts";
import { version } from "../version.ts";

/** Where it is written down what VUs do: one for the load, another for its warm-up. */
export interface Recording {
  readonly accounting: SharedAccounting;
  readonly registry: MetricRegistry;
  readonly errors: ErrorLog;
  readonly recorder: ExchangeRecorder;
  /** Where requests with these options are counted and recorded. */
  readonly environment: (options: ValidatedHttp) => HttpEnvironment;
}

/** What one thread needs to run a test's code: made once, used by all its VUs. What it records itself is of the load. */
export interface Engine extends Recording {
  readonly clock: Clock;
  readonly plan: RunPlan;
  readonly test: AnyTestDefinition;
  /** What setup returned, frozen. */
  readonly data: unknown;
  /** Rows of the test's feeds, frozen. */
  readonly feedRows: RowsByFeed;
  /** What happens before `startedAtMs` goes here, and is counted, but not measured; null without a warm-up. */
  readonly warmup: Recording | null;
  readonly networks: Networks;
  readonly deadlines: Deadlines;
  readonly loopWatch: LoopWatch;
  /** Where the test's code lies, to find its lines in stacks; null where there is none of the user's. */
  readonly bundlePath: string | null;
  /** When the load began to be measured, by the clock. */
  startedAtMs: number;
  /** Takes secrets out of all that the thread tells. */
  readonly mask: Mask;
  readonly makeFetchClient: MakeFetchClient;
  /** The code of iterations is to be found to be its VU's: a plain `fetch` may be in it. */
  readonly followsVus: boolean;
  readonly log: (line: LogLine) => void;
  readonly abort: (reason: MaskedText) => void;
}

export interface EngineParts {
  readonly clock: Clock;
  readonly plan: RunPlan;
  readonly test: AnyTestDefinition;
  readonly data: unknown;
  readonly feedRows: RowsByFeed;
  readonly accounting: SharedAccounting;
  readonly warmupAccounting: SharedAccounting | null;
  readonly bundlePath: string | null;
  readonly mask: Mask;
  readonly makeFetchClient: MakeFetchClient;
  /** The code of iterations is to be found to be its VU's: a plain `fetch` may be in it. */
  readonly followsVus: boolean;
  readonly speakUndici: SpeakUndici | null;
  readonly log: (line: LogLine) => void;
  readonly abort: (reason: MaskedText) => void;
}

export function createEngine(parts: EngineParts): Engine {
  const { clock, accounting, warmupAccounting } = parts;
  parts.mask.seen.name(wordsOf(parts.plan));
  const deadlines = new Deadlines(clock);
  const bodies = new BodyBudget(sayingOnce(parts.log, parts.mask.hide(bodiesTakeTooMuch)));
  const recording = (counts: SharedAccounting): Recording =>
    createRecording(parts, counts, { deadlines, bodies }, () => engine.startedAtMs);
  const engine: Engine = {
    ...parts,
    ...recording(accounting),
    warmup: warmupAccounting === null ? null : recording(warmupAccounting),
    loopWatch: new LoopWatch(),
    deadlines,
    networks: new Networks({
      clock,
      random: randomSource(parts.plan.seed, addressStream),
      onOpen: () => {
        accounting.add("connectionsOpened");
      },
      onClose: () => {
        accounting.add("connectionsClosed");
      },
      onUnasked: ({ text }, bytes, lastName) => {
        const nowMs = clock.now();
        const { recorder } = nowMs < engine.startedAtMs ? (engine.warmup ?? engine) : engine;
        recorder.recordUnasked(text, bytes, lastName, nowMs);
      },
      speakUndici: parts.speakUndici,
    }),
    startedAtMs: clock.now(),
  };
  return engine;
}

function createRecording(
  { clock, plan, mask }: EngineParts,
  accounting: SharedAccounting,
  shared: Pick<HttpEnvironment, "deadlines" | "bodies">,
  startedAtMs: () => number,
): Recording {
  const errors = new ErrorLog(mask.hide);
  const registry = new MetricRegistry(metricCatalog(plan.metrics), mask);
  const recorder = new ExchangeRecorder({ accounting, registry, errors }, mask, startedAtMs);
  const allowedHosts = new AllowedHosts(plan.baseUrl, plan.allowHosts);
  const movedHosts = new MovedHosts(plan.baseUrl, plan.movedHosts);
  const { baseUrl } = plan;
  return {
    accounting,
    registry,
    errors,
    recorder,
    environment: (options) => {
      const defaultHeaders = withUserAgent(options.headers);
      for (let at = 0; at + 1 < defaultHeaders.length; at += 2)
        mask.seen.header(defaultHeaders[at] ?? "", defaultHeaders[at + 1] ?? "");
      return {
        clock,
        ...shared,
        options,
        limits: defaultLimits(options),
        baseUrl,
        defaultHeaders,
        mask,
        random: randomSource(plan.seed, boundaryStream),
        endpoints: new EndpointCache({ baseUrl, allowedHosts, movedHosts, accounting, mask, defaultHeaders }),
        recorder,
        cachedBodies: new CachedBodies(),
      };
    },
  };
}

/** The names that the test and the command line use: none of them is a secret, whatever it is sent as. */
function* wordsOf(plan: RunPlan): Iterable<string> {
  yield* [plan.testName, plan.baseUrl ?? "", ...plan.allowHosts, ...Object.keys(plan.metrics)];
  for (const { scenario } of plan.scenarios) yield* [scenario.name, ...Object.values(scenario.tags)];
  yield* Object.values(plan.tags);
  for (const value of Object.values(plan.env).map(String)) if (!plan.secrets.includes(value)) yield value;
}

function sayingOnce(log: EngineParts["log"], sentence: MaskedText): () => void {
  let isSaid = false;
  return () => {
    if (!isSaid) log({ level: "warn", text: sentence, from: own`bearhug` });
    isSaid = true;
  };
}

/** Streams of random numbers that no virtual user has: which address of a host is taken, how bodies' parts are parted. */
const addressStream = -1_000_000_000;
const boundaryStream = addressStream - 1;

function withUserAgent(headers: readonly string[]): readonly string[] {
  const isGiven = headers.some((text, index) => index % 2 === 0 && text.toLowerCase() === "user-agent");
  return isGiven ? headers : ["user-agent", `bearhug/${version}`, ...headers];
}
