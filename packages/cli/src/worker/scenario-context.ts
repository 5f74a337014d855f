import type { Duration, ExecutorName } from "@bearhug/sdk";
import { parseDuration, type AnyContext, type AnyEnv } from "@bearhug/sdk/internal";

import { textOf } from "../protocol/read-thrown.ts";
import { runChecks } from "./checks.ts";
import { contextOf, type Engine } from "./engine.ts";
import type { ScenarioFeeds } from "./feed-handles.ts";
import { createLog } from "./log.ts";
import { createMetricHandles } from "./metric-handles.ts";
import { visitGroup, visitPage } from "./page-groups.ts";
import { createRandom } from "./random.ts";
import { TestAborted } from "./test-aborted.ts";
import type { Vu } from "./vu.ts";

/** The facts about a scenario that its VUs share. */
export interface ScenarioFacts {
  readonly name: string;
  readonly executor: ExecutorName;
  readonly env: AnyEnv;
  readonly feeds: ScenarioFeeds;
}

/** The mutable part of a context: a new iteration each time. */
export type VuContext = { -readonly [Key in keyof AnyContext]: AnyContext[Key] };

/** A virtual user whose state is made when it is first asked for: in an iteration, which may fail. */
function virtualUser(
  { id, index }: Vu,
  makeState: () => Record<string, unknown> = () => ({}),
): AnyContext["vu"] {
  let state: Record<string, unknown> | undefined;
  return {
    id,
    index,
    get state() {
      return (state ??= makeState());
    },
  };
}

/** `exec`'s argument, one for each VU: everything in it may be taken apart. */
export function createContext(engine: Engine, vu: Vu, scenario: ScenarioFacts): VuContext {
  const random = createRandom(engine.plan.seed, vu.id);
  const context: Omit<VuContext, "http"> = {
    env: scenario.env,
    data: engine.data,
    feeds: scenario.feeds.handles(vu),
    metrics: createMetricHandles(engine.registry.catalog, Object.keys(engine.plan.metrics), vu),
    vu: virtualUser(vu, engine.test.vuState),
    scenario: { name: scenario.name, executor: scenario.executor },
    iteration: { index: 0, indexInVu: 0 },
    tags: {
      set: (name, value) => void vu.ownTags.set(name, value),
      get: (name) => vu.ownTags.get(name),
      delete: (name) => void vu.ownTags.delete(name),
    },
    random,
    get signal() {
      return vu.signal;
    },
    log: createLog(engine.log, engine.mask, `${scenario.name}, VU ${vu.id}`),
    page: (name, body) => visitPage(engine.clock, vu, name, body),
    group: (name, body) => visitGroup(engine.clock, vu, name, body),
    check: (value, checks, tags) => runChecks(engine, vu, value, checks, tags),
    think: (min: Duration, max?: Duration) => vu.pause(thinkTimeMs(min, max, random)),
    sleep: (duration) => vu.pause(parseDuration(duration)),
    abort: (given: unknown) => {
      const reason = given === undefined ? "no reason was given" : (textOf(given) ?? "(no text)");
      engine.abort(engine.mask.hide(reason));
      throw new TestAborted(reason);
    },
  };
  return Object.assign(context, contextOf(engine, vu));
}

function thinkTimeMs(min: Duration, max: Duration | undefined, random: () => number): number {
  const minMs = parseDuration(min);
  return max === undefined ? minMs : minMs + random() * (parseDuration(max) - minMs);
}
