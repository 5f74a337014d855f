import type { Accumulator } from "@bearhug/metrics/accumulator";
import { parseMetricSelector } from "@bearhug/metrics/metric-selector";
import { Scope } from "@bearhug/metrics/scope";
import { SeriesStore } from "@bearhug/metrics/series-store";
import { SnapshotTaker } from "@bearhug/metrics/snapshot";
import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { systemClock } from "@bearhug/plan/pacing/clock";
import type { ReplacedHosts } from "@bearhug/plan/protocol/plan";
import { type RequestCounts, SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import { noFeeds } from "@bearhug/plan/protocol/shared-feeds";
import { defineTest, type Http } from "@bearhug/sdk";
import { createMask } from "@bearhug/text/secret-mask";
import { onTestFinished } from "vitest";

import { builtInClients } from "../../engine/src/built-in-clients.ts";
import { createFetchClient } from "../src/fetch/measured-fetch.ts";
import { startHttp, type LoadedHttp } from "../src/http-clients.ts";
import { findHttpSession, type Session } from "../src/session/session.ts";
import { speakUndici } from "../src/undici/create-undici-transport.ts";
import { clientsFor, contextOf, createEngine, type Engine } from "../../engine/src/worker/engine.ts";
import { openSpan } from "../../engine/src/worker/vu-time.ts";
import { Vu } from "../../engine/src/worker/vu.ts";
import { testedTransport } from "./tested-transport.ts";

export interface TestClient {
  readonly http: Http;
  readonly vu: Vu;
  readonly session: Session;
  readonly engine: Engine;
  /** The counts of the requests with a name. */
  readonly row: (name: string) => RequestCounts | undefined;
  /** A metric with all samples that were recorded so far. */
  readonly metric: (key: string) => Accumulator | undefined;
  /** Another VU of the same worker. */
  readonly another: () => { readonly http: Http; readonly vu: Vu; readonly session: Session };
}

/** Makes an engine as a worker does, with one VU and its client. */
export function startClient(
  baseUrl: string | null,
  allowHosts: readonly string[] = [],
  secrets: readonly string[] = [],
  given: ValidatedHttp = defaultHttp,
  movedHosts: ReplacedHosts | null = null,
  code = "",
): TestClient {
  const exec = (): void => {};
  const http: ValidatedHttp = testedTransport === "undici" ? { ...given, transport: "undici" } : given;
  const test = defineTest({
    scenarios: { s: { executor: "constant-vus", vus: 1, duration: "1s", exec } },
  });
  const plan = {
    testName: "t",
    seed: 1,
    baseUrl,
    allowHosts,
    allowUnmeasured: false,
    movedHosts,
    http,
    env: {},
    secrets,
    clients: builtInClients,
    metrics: {},
    scenarios: [],
    tags: {},
    workers: 1,
    sharedConnections: null,
    warmupMs: 0,
    maxDataBytes: null,
  };
  const accounting = new SharedAccounting();
  const loaded: LoadedHttp = {
    makeFetchClient: createFetchClient,
    speakUndici,
    readCode: () => code,
  };
  const engine = createEngine({
    tracer: null,
    clock: systemClock,
    plan,
    test,
    data: null,
    feeds: { ...noFeeds, rows: {} },
    accounting,
    warmupAccounting: null,
    vuStateAccounting: null,
    connections: null,
    samples: null,
    bundlePath: null,
    folder: import.meta.dirname,
    mask: createMask(secrets),
    followsCode: true,
    clients: builtInClients.map((kind) => ({ kind, start: (parts) => startHttp(parts, loaded) })),
    log: () => {},
    abort: () => {},
  });
  engine.startedAtMs = systemClock.now();
  const openClients = clientsFor(engine, plan);
  const vus: Vu[] = [];
  const another = () => {
    const scope = new Scope(engine.registry, { scenario: "s" });
    const root = { scope, page: null, visit: null, isWarmup: false, turn: null };
    const vu = new Vu(vus.length + 1, systemClock, root, openClients, {
      index: vus.length,
      span: openSpan(),
    });
    vus.push(vu);
    const session = findHttpSession(vu.clients);
    if (session === null) throw new TypeError("the VU has no HTTP session");
    return { vu, session, http: contextOf(engine, vu).http };
  };
  onTestFinished(() => {
    for (const vu of vus) {
      vu.retire();
    }
    engine.close();
  });
  const taker = new SnapshotTaker(engine.registry);
  const store = new SeriesStore();
  return {
    ...another(),
    another,
    engine,
    row: (name) => accounting.requests().find((row) => row.name === name),
    metric: (key) => {
      store.add(0, taker.take());
      return store.select(parseMetricSelector(key));
    },
  };
}
