import { monitorKinds } from "@bearhug/plan/monitors/monitor-kinds";
import { type Flag, httpFlags } from "@bearhug/plan/test-file/http-flags";
import { loadFlags, type WrittenOptions } from "@bearhug/plan/test-file/run-options";
import { closestName } from "@bearhug/sdk/internal";

import { isReporter } from "../reporter-thread/messages.ts";
import type { RunTestOptions } from "./run-test-options.ts";

interface Kind {
  readonly wanted: string;
  readonly holds: (value: unknown) => boolean;
}

const text: Kind = { wanted: "a text", holds: (value) => typeof value === "string" };
const number: Kind = { wanted: "a number", holds: (value) => typeof value === "number" };
const aSwitch: Kind = { wanted: "true or false", holds: (value) => typeof value === "boolean" };
const duration: Kind = {
  wanted: 'milliseconds or a time such as "30s"',
  holds: (value) => text.holds(value) || number.holds(value),
};
const texts = listOf(text, "texts");
const textsByName = recordOf(text, "texts");
const boundsByName = recordOf(
  { wanted: "", holds: (value) => text.holds(value) || texts.holds(value) },
  'texts, such as { http_req_duration: ["p(95)<300ms"] }',
);
const monitorsInCode = Object.values(monitorKinds).flatMap(({ inCode }) => inCode ?? []);
const sourcesByName = recordOf(
  { wanted: "", holds: (value) => monitorsInCode.some(({ type }) => typeof value === type) },
  `${monitorsInCode.map(({ things }) => things).join(" and ")}, such as { ${monitorsInCode.map(({ example }) => example).join(", ")} }`,
);

/** Flags that `runTest` has no option for: of several machines, of variants, and of what a test file says better. */
const flagsAlone = [
  "overload",
  "shard",
  "startAt",
  "shardSetup",
  "allowPartial",
  "variant",
  "turn",
  "limitVus",
  "limitDuration",
  "expect",
];

/** The options that a command line writes as one text, or as a switch: those of its flags that are given once. */
const flagKinds: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    [...Object.values(loadFlags), ...httpFlags]
      .filter((flag) => flag.isRepeatable !== true)
      .map((flag) => [optionOf(flag), kindOf(flag)] as const)
      .filter(([name]) => !flagsAlone.includes(name)),
  ),
  target: { wanted: "a URL or a text", holds: (value) => value instanceof URL || text.holds(value) },
  envFile: text,
  rate: {
    wanted: 'a number or a rate such as "500/s"',
    holds: (value) => text.holds(value) || number.holds(value),
  },
};

/** All options. */
const kinds: Readonly<Record<string, Kind>> = {
  ...flagKinds,
  scenario: {
    wanted: "a text or a list of texts",
    holds: (value) => text.holds(value) || texts.holds(value),
  },
  env: textsByName,
  tags: textsByName,
  resolve: textsByName,
  thresholds: boundsByName,
  monitors: sourcesByName,
  out: texts,
  samples: text,
  signal: { wanted: "an AbortSignal", holds: (value) => value instanceof AbortSignal },
  reporters: listOf({ wanted: "", holds: isReporter }, "reporters, such as { onEnd(result) { … } }"),
  onMessage: { wanted: "a function", holds: (value) => typeof value === "function" },
} satisfies Readonly<
  Record<Exclude<keyof RunTestOptions, keyof WrittenOptions> | "scenario" | "env" | "resolve", Kind>
>;

/** The name that an option has for a flag: `maxData` for `--max-data <size>`. */
function optionOf({ flags }: Flag): string {
  return camelCase(/--([a-z-]+)/.exec(flags)?.[1] ?? "");
}

/** What the option of a flag is, by how help writes the flag's value. */
function kindOf({ flags }: Flag): Kind {
  const value = /<([^>]+)>/.exec(flags)?.[1];
  if (value === undefined) return aSwitch;
  return value === "n" ? number : value === "time" ? duration : text;
}

function listOf(kind: Kind, things: string): Kind {
  return { wanted: `a list of ${things}`, holds: (value) => Array.isArray(value) && value.every(kind.holds) };
}

function recordOf(kind: Kind, things: string): Kind {
  const holds = (value: unknown): boolean => isRecord(value) && Object.values(value).every(kind.holds);
  return { wanted: `an object of ${things}`, holds };
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** One sentence for each name that is no option. */
export function unknownOptions(options: RunTestOptions): string[] {
  const known = Object.keys(kinds);
  return Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = closestName(name, known);
      return `${name}: unknown option.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
    });
}

/** One sentence for each option of another type: callers in JavaScript have no compiler that tells them. */
export function mistypedOptions(options: RunTestOptions): string[] {
  if (!isRecord(options)) return ["The options of runTest must be an object."];
  const given = new Map<string, unknown>(Object.entries(options));
  return Object.entries(kinds)
    .filter(([name, { holds }]) => given.get(name) !== undefined && !holds(given.get(name)))
    .map(([name, { wanted }]) => `${name} must be ${wanted}.`);
}

/** The options as a command line would write them: one reader judges both. */
export function writeOptions(options: RunTestOptions): WrittenOptions {
  const { scenario = [], env = {}, tags = {}, thresholds = {}, resolve = {}, monitors = {} } = options;
  const given = new Map<string, unknown>(Object.entries(options));
  const flags = Object.entries(flagKinds).flatMap(([name, kind]): [string, string | boolean][] => {
    const value = given.get(name);
    if (kind === aSwitch) return [[name, value === true]];
    return value === undefined ? [] : [[name, textOf(kind, value)]];
  });
  return {
    ...Object.fromEntries(flags),
    scenario: typeof scenario === "string" ? [scenario] : scenario,
    env: pairs(env),
    tag: pairs(tags),
    resolve: pairs(resolve),
    ...Object.fromEntries(
      Object.entries(monitorKinds).map(([option, { inCode }]) => [
        option,
        pairs(ofType(inCode?.type, monitors)),
      ]),
    ),
    threshold: Object.entries(thresholds).flatMap(([metric, bounds]) =>
      [bounds].flat().map((bound) => `${metric}: ${bound}`),
    ),
  };
}

function textOf(kind: Kind, value: unknown): string {
  return typeof value === "number" && kind === duration ? `${value}ms` : String(value);
}

function ofType<Value>(
  type: "string" | "number" | undefined,
  record: Readonly<Record<string, Value>>,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => typeof value === type));
}

function pairs(record: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(record).map(([name, value]) => `${name}=${value}`);
}

const names: Readonly<Record<string, string>> = {
  tag: "tags",
  threshold: "thresholds",
  ...Object.fromEntries(Object.keys(monitorKinds).map((option) => [option, "monitors"])),
  envFrom: "envFile",
};

/** A problem that names flags, in the words of the options. */
export function inWordsOfOptions(problem: string): string {
  return problem.replace(/(?<![\w-])--([a-z]+(?:-[a-z]+)*)(?= |:|,|$)/g, (_, flag: string) => {
    const name = camelCase(flag);
    return names[name] ?? name;
  });
}

function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
