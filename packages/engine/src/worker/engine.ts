import { type BundlePosition, ErrorLog } from "@bearhug/metrics/error-log";
import { ExemplarLog } from "@bearhug/metrics/exemplar-log";
import { metricCatalog } from "@bearhug/metrics/metric-catalog";
import { MetricRegistry } from "@bearhug/metrics/registry";
import { TargetLog } from "@bearhug/metrics/target-log";
import type { ClientOptions, Ledger, OpenClient, ThreadClients } from "@bearhug/plan/clients/client";
import type { SampleRecorder } from "@bearhug/plan/clients/sample-recorder";
import type { Tracer } from "@bearhug/plan/clients/tracer";
import type { Clock } from "@bearhug/plan/pacing/clock";
import { type LogLine, ownOrigin } from "@bearhug/plan/protocol/messages";
import type { RunPlan } from "@bearhug/plan/protocol/plan";
import type { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import type { SharedConnections } from "@bearhug/plan/protocol/shared-connections";
import type { SharedFeeds } from "@bearhug/plan/protocol/shared-feeds";
import type { AnyContext, AnyTestDefinition } from "@bearhug/sdk/internal";
import { secretsIn } from "@bearhug/text/data-secrets";
import type { MaskedText } from "@bearhug/text/masked-text";
import type { Mask } from "@bearhug/text/secret-mask";

import { LoopWatch } from "../health/loop-watch.ts";
import { dataTexts } from "./data-texts.ts";
import { ShortPauses } from "./short-pauses.ts";
import { VariantTurns } from "./variant-turns.ts";
import type { RowsByFeed } from "./feed-handles.ts";
import type { LoadedClients } from "./load-clients.ts";
import type { Vu } from "./vu.ts";

/** The feeds of the test in this thread, with the secrets of their rows. */
export interface OpenFeeds extends SharedFeeds {
  readonly rows: RowsByFeed;
}

/** The parts of an engine that its creator supplies. */
interface EngineOptions {
  readonly clock: Clock;
  readonly plan: RunPlan;
  readonly test: AnyTestDefinition;
  /** The value that setup returned, frozen. */
  readonly data: unknown;
  readonly feeds: OpenFeeds;
  /**
   * The path of the test's bundle, to find its lines in stacks; null if the test has no code (a single URL).
   */
  readonly bundlePath: string | null;
  /** The folder of the test's file: relative paths start there. */
  readonly folder: string;
  /** Masks secrets in everything that the thread reports. */
  readonly mask: Mask;
  /** True if the test has code, which must be traceable to its iteration. False for a single URL. */
  readonly followsCode: boolean;
  /** Null unless each step of the test is traced. */
  readonly tracer: Tracer | null;
  readonly log: (line: LogLine) => void;
  /** Called when the test calls `abort`, with the line of that call. */
  readonly abort: (reason: MaskedText, position: BundlePosition | null) => void;
}

/** Runs a test's code in one thread, for all of its VUs. As a ledger it is that of the measured load. */
export interface Engine extends EngineOptions, Ledger {
  /** Records what happens before `startedAtMs`: counted, but not measured. Null without a warm-up. */
  readonly warmup: Ledger | null;
  /** Records the making of VU states: counted, but not measured. Null for a test without `vuState`. */
  readonly vuState: Ledger | null;
  readonly clients: readonly StartedClients[];
  readonly loopWatch: LoopWatch;
  readonly shortPauses: ShortPauses;
  /** Null without variants. */
  readonly turns: VariantTurns | null;
  /** The clock's time at which measuring begins; Infinity until it is known. */
  startedAtMs: number;
  /** Closes the clients and ends the watch of the event loop. */
  close(): void;
}

/** A kind of client in this thread. */
interface StartedClients extends ThreadClients {
  /** The client's name in the context. */
  readonly name: string;
}

export interface EngineDependencies extends EngineOptions {
  /** Records single samples of the load; null without `--samples`. */
  readonly samples: SampleRecorder | null;
  readonly accounting: SharedAccounting;
  readonly warmupAccounting: SharedAccounting | null;
  readonly vuStateAccounting: SharedAccounting | null;
  /** The open connections of all workers; null outside of the load. */
  readonly connections: SharedConnections | null;
  readonly clients: readonly LoadedClients[];
}

export function createEngine(parts: EngineDependencies): Engine {
  const { clock, plan, folder, mask, log, warmupAccounting, vuStateAccounting } = parts;
  mask.seen.addWords(namesIn(plan));
  mask.addDataSecrets([...parts.feeds.secrets, ...secretsIn(parts.data)]);
  const load = createLedger(parts.accounting, parts, parts.samples);
  const warmup = warmupAccounting === null ? null : createLedger(warmupAccounting, parts, null);
  const vuState = vuStateAccounting === null ? null : createLedger(vuStateAccounting, parts, null);
  const warn = (text: MaskedText): void => log({ level: "warn", text, from: ownOrigin });
  const clientParts = {
    clock,
    plan,
    folder,
    mask,
    load,
    warmup,
    vuState,
    startedAtMs: () => engine.startedAtMs,
    connections: parts.connections,
    isData: dataTexts(parts.feeds, parts.data),
    warn,
  };
  const clients = parts.clients.map(({ kind, start }) => ({
    name: kind.name,
    ...start({ ...clientParts, kind }),
  }));
  const loopWatch = new LoopWatch();
  const engine: Engine = {
    ...parts,
    ...load,
    warmup,
    vuState,
    clients,
    loopWatch,
    shortPauses: new ShortPauses(warn, mask.hide),
    turns: plan.variants === undefined ? null : new VariantTurns(plan.variants),
    startedAtMs: Number.POSITIVE_INFINITY,
    close: () => {
      for (const client of clients) client.close?.();
      loopWatch.stop();
    },
  };
  return engine;
}

/** Returns the functions that open a virtual user's clients with these options. */
export function clientsFor({ clients }: Engine, options: ClientOptions): OpenClient[] {
  return clients.map((client) => client.withOptions(options));
}

/** The clients' part of a context, by their names. HTTP is always among them. */
type ClientContexts = Pick<AnyContext, "http">;

/** Makes the clients' part of a virtual user's context. */
export function contextOf({ clients }: Engine, vu: Vu): ClientContexts {
  const contexts = clients.map(({ name }, index) => [name, vu.clients[index]?.context()] as const);
  return Object.fromEntries<unknown>(contexts) as ClientContexts;
}

function createLedger(
  accounting: SharedAccounting,
  { plan, mask, tracer }: EngineOptions,
  samples: SampleRecorder | null,
): Ledger {
  const registry = new MetricRegistry(metricCatalog(plan), mask, new Set(plan.keptDetails));
  return {
    accounting,
    registry,
    errors: new ErrorLog(mask.hide),
    exemplars: new ExemplarLog(),
    targets: new TargetLog(),
    samples,
    tracer,
  };
}

/**
 * Yields the names that the test and the command line use: none is a secret, even if a request sends it as
 * one.
 */
function* namesIn(plan: RunPlan): Iterable<string> {
  yield* [plan.testName, plan.baseUrl ?? "", ...plan.allowHosts, ...Object.keys(plan.metrics)];
  for (const { scenario } of plan.scenarios) yield* [scenario.name, ...Object.values(scenario.tags)];
  yield* Object.values(plan.tags);
  for (const { name } of plan.variants?.variants ?? []) yield name;
  for (const value of Object.values(plan.env).map(String)) if (!plan.secrets.includes(value)) yield value;
}
