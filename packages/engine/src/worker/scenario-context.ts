import { textOf } from "@bearhug/plan/protocol/read-thrown";
import { parseDuration } from "@bearhug/plan/validation/duration";
import type { Duration, ExecutorName, Log, Random, VuStateContext } from "@bearhug/sdk";
import type { AnyContext, AnyEnv } from "@bearhug/sdk/internal";

import { runChecks } from "./checks.ts";
import { contextOf, type Engine } from "./engine.ts";
import type { ScenarioFeeds } from "./feed-handles.ts";
import { createLog } from "./log.ts";
import { createMetricHandles } from "./metric-handles.ts";
import { visitGroup, visitPage } from "./page-groups.ts";
import { createRandom } from "./random.ts";
import { describeThrown } from "./stack-position.ts";
import { TestAborted } from "./test-aborted.ts";
import type { Vu } from "./vu.ts";

/** The facts about a scenario that its VUs share. */
export interface ScenarioInfo {
  readonly name: string;
  readonly executor: ExecutorName;
  readonly env: AnyEnv;
  readonly feeds: ScenarioFeeds;
}

/** Creates the argument of `exec`, one for each VU. All of its parts can be destructured. */
export function createContext(engine: Engine, vu: Vu, scenario: ScenarioInfo): AnyContext {
  return Object.assign(new ContextOfVu(engine, vu, scenario), contextOf(engine, vu));
}

/**
 * A context without its clients. A worker has thousands, so the parts that few tests use are created on first
 * access. All contexts share their getter functions: V8 would store an object with individual getters as a
 * dictionary, which is slower and takes hundreds of bytes more.
 */
class ContextOfVu implements Omit<AnyContext, "http"> {
  static readonly #getters: PropertyDescriptorMap & ThisType<ContextOfVu> = {
    iteration: {
      enumerable: true,
      get() {
        const { iterationIndex: index, iterations } = this.#vu;
        if (this.#iteration?.index !== index) this.#iteration = { index, indexInVu: iterations - 1 };
        return this.#iteration;
      },
    },
    tags: {
      enumerable: true,
      get() {
        return (this.#tags ??= ownTagsOf(this.#vu));
      },
    },
    random: {
      enumerable: true,
      get() {
        return (this.#random ??= createRandom(this.#engine.plan.seed, this.#vu.id));
      },
    },
    signal: {
      enumerable: true,
      get() {
        return this.#vu.signal;
      },
    },
    log: {
      enumerable: true,
      get() {
        const { log, mask } = this.#engine;
        return (this.#log ??= createLog(log, mask, `${this.scenario.name}, VU ${this.#vu.id}`));
      },
    },
  };
  readonly #engine: Engine;
  readonly #vu: Vu;
  #iteration: AnyContext["iteration"] | null = null;
  #tags: AnyContext["tags"] | null = null;
  #random: Random | null = null;
  #log: Log | null = null;
  env: AnyContext["env"];
  data: AnyContext["data"];
  feeds: AnyContext["feeds"];
  metrics: AnyContext["metrics"];
  vu: AnyContext["vu"];
  scenario: AnyContext["scenario"];
  declare iteration: AnyContext["iteration"];
  declare tags: AnyContext["tags"];
  declare random: AnyContext["random"];
  declare signal: AnyContext["signal"];
  declare log: AnyContext["log"];
  page: AnyContext["page"];
  group: AnyContext["group"];
  check: AnyContext["check"];
  think: AnyContext["think"];
  sleep: AnyContext["sleep"];
  abort: AnyContext["abort"];

  constructor(engine: Engine, vu: Vu, { name, executor, env, feeds }: ScenarioInfo) {
    this.#engine = engine;
    this.#vu = vu;
    this.env = env;
    this.data = engine.data;
    this.feeds = feeds.handles(vu);
    this.metrics = createMetricHandles(engine.registry.catalog, Object.keys(engine.plan.metrics), vu);
    this.vu = new VirtualUserInfo(vu, engine.test.vuState !== undefined);
    this.scenario = { name, executor };
    this.page = (page, body) => vu.watched.watch("page", [page], visitPage(engine, vu, page, body));
    this.group = (group, body) => vu.watched.watch("group", [group], visitGroup(engine, vu, group, body));
    this.check = (value, checks, tags) => runChecks(engine, vu, value, checks, tags);
    this.think = (min, max) => {
      engine.shortPauses.look("think", [min, max]);
      return vu.watched.watch("think", [min, max], vu.pause(thinkTimeMs(min, max, this)));
    };
    this.sleep = (duration) => {
      engine.shortPauses.look("sleep", [duration]);
      return vu.watched.watch("sleep", [duration], vu.pause(parseDuration(duration)));
    };
    this.abort = (given: unknown) => {
      const reason = given === undefined ? "no reason was given" : (textOf(given) ?? "(no text)");
      const aborted = new TestAborted(reason);
      engine.abort(engine.mask.hide(reason), describeThrown(aborted, engine.bundlePath).position);
      throw aborted;
    };
    Object.defineProperties(this, ContextOfVu.#getters);
  }
}

/** The argument of `vuState`: the part of a context that has nothing to do with iterations. */
export function vuStateContextOf(
  context: AnyContext,
): VuStateContext<unknown, AnyEnv, Readonly<Record<string, unknown>>> {
  const { http, data, env, feeds, scenario, sleep } = context;
  const { id, index } = context.vu;
  return {
    http,
    data,
    env,
    feeds,
    scenario,
    sleep,
    vu: { id, index },
    get log() {
      return context.log;
    },
    get random() {
      return context.random;
    },
    get signal() {
      return context.signal;
    },
  };
}

/** `vu` of a context. Without a `vuState`, the state is an empty object, created on first access. */
class VirtualUserInfo {
  static readonly #getters: PropertyDescriptorMap & ThisType<VirtualUserInfo> = {
    state: {
      enumerable: true,
      get() {
        return this.#isMade ? this.#vu.states.state : (this.#empty ??= {});
      },
    },
  };
  readonly id: number;
  readonly index: number;
  // Its type is that of the test's `vuState`.
  declare readonly state: Record<string, unknown>;
  readonly #vu: Vu;
  readonly #isMade: boolean;
  #empty: Record<string, unknown> | null = null;

  constructor(vu: Vu, isMade: boolean) {
    this.id = vu.id;
    this.index = vu.index;
    this.#vu = vu;
    this.#isMade = isMade;
    Object.defineProperties(this, VirtualUserInfo.#getters);
  }
}

function ownTagsOf(vu: Vu): AnyContext["tags"] {
  return {
    set: (name, value) => void vu.ownTags.set(name, value),
    get: (name) => vu.ownTags.get(name),
    delete: (name) => void vu.ownTags.delete(name),
  };
}

function thinkTimeMs(min: Duration, max: Duration | undefined, context: Pick<AnyContext, "random">): number {
  const minMs = parseDuration(min);
  const maxMs = max === undefined ? minMs : parseDuration(max);
  if (maxMs < minMs)
    throw new RangeError(
      `think(${JSON.stringify(min)}, ${JSON.stringify(max)}): the longest time is shorter than the shortest.`,
    );
  return max === undefined ? minMs : minMs + context.random() * (maxMs - minMs);
}
