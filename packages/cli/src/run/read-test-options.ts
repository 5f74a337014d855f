import { monitorKinds } from "@bearhug/plan/monitors/monitor-kinds";
import { type Flag, httpFlags } from "@bearhug/plan/test-file/http-flags";
import { loadFlags, type WrittenOptions } from "@bearhug/plan/test-file/run-options";
import { isRecord } from "@bearhug/sdk/internal";
import { closestName } from "@bearhug/text/closest-name";

import { isReporter } from "../reporter-thread/messages.ts";
import type { RunTestOptions } from "./run-test-options.ts";

interface Kind {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const text: Kind = { expected: "a text", accepts: (value) => typeof value === "string" };
const number: Kind = { expected: "a number", accepts: (value) => typeof value === "number" };
const aSwitch: Kind = { expected: "true or false", accepts: (value) => typeof value === "boolean" };
const duration: Kind = {
  expected: 'milliseconds or a time such as "30s"',
  accepts: (value) => text.accepts(value) || number.accepts(value),
};
const texts = listOf(text, "texts");
const textsByName = recordOf(text, "texts");
const boundsByName = recordOf(
  { expected: "", accepts: (value) => text.accepts(value) || texts.accepts(value) },
  'texts, such as { http_req_duration: ["p(95)<300ms"] }',
);
const monitorsInCode = Object.values(monitorKinds).flatMap(({ inCode }) => inCode ?? []);
const sourcesByName = recordOf(
  { expected: "", accepts: (value) => monitorsInCode.some(({ type }) => typeof value === type) },
  `${monitorsInCode.map(({ things }) => things).join(" and ")}, such as { ${monitorsInCode.map(({ example }) => example).join(", ")} }`,
);

/**
 * Flags without an option in `runTest`: for several machines, for variants, and for settings that belong in a
 * test file.
 */
const flagsWithoutOption = [
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

/** Options that a command line gives once, as one text or as a switch. */
const flagKinds: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(
    [...Object.values(loadFlags), ...httpFlags]
      .filter((flag) => flag.isRepeatable !== true)
      .map((flag) => [optionOf(flag), kindOf(flag)] as const)
      .filter(([name]) => !flagsWithoutOption.includes(name)),
  ),
  target: { expected: "a URL or a text", accepts: (value) => value instanceof URL || text.accepts(value) },
  envFile: text,
  rate: {
    expected: 'a number or a rate such as "500/s"',
    accepts: (value) => text.accepts(value) || number.accepts(value),
  },
};

/** All options. */
const kinds: Readonly<Record<string, Kind>> = {
  ...flagKinds,
  scenario: {
    expected: "a text or a list of texts",
    accepts: (value) => text.accepts(value) || texts.accepts(value),
  },
  env: textsByName,
  tags: textsByName,
  resolve: textsByName,
  thresholds: boundsByName,
  monitors: sourcesByName,
  out: texts,
  samples: text,
  signal: { expected: "an AbortSignal", accepts: (value) => value instanceof AbortSignal },
  reporters: listOf({ expected: "", accepts: isReporter }, "reporters, such as { onEnd(result) { … } }"),
  onMessage: { expected: "a function", accepts: (value) => typeof value === "function" },
} satisfies Readonly<
  Record<Exclude<keyof RunTestOptions, keyof WrittenOptions> | "scenario" | "env" | "resolve", Kind>
>;

/** Returns the option's name for a flag: `maxData` for `--max-data <size>`. */
function optionOf({ flags }: Flag): string {
  return camelCase(/--([a-z-]+)/.exec(flags)?.[1] ?? "");
}

/** Returns the kind of a flag's option, derived from the placeholder of the flag's value in help. */
function kindOf({ flags }: Flag): Kind {
  const value = /<([^>]+)>/.exec(flags)?.[1];
  if (value === undefined) return aSwitch;
  return value === "n" ? number : value === "time" ? duration : text;
}

function listOf(kind: Kind, things: string): Kind {
  return {
    expected: `a list of ${things}`,
    accepts: (value) => Array.isArray(value) && value.every(kind.accepts),
  };
}

function recordOf(kind: Kind, things: string): Kind {
  const accepts = (value: unknown): boolean => isRecord(value) && Object.values(value).every(kind.accepts);
  return { expected: `an object of ${things}`, accepts };
}

/** Returns a sentence for each unknown option. */
export function unknownOptions(options: RunTestOptions): string[] {
  const known = Object.keys(kinds);
  return Object.keys(options)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = closestName(name, known);
      return `${name}: unknown option.${meant === undefined ? "" : ` Did you mean ${meant}?`}`;
    });
}

/**
 * Returns a sentence for each option with a value of the wrong type, which JavaScript callers get no compiler
 * error for.
 */
export function mistypedOptions(options: RunTestOptions): string[] {
  if (!isRecord(options)) return ["The options of runTest must be an object."];
  const given = new Map<string, unknown>(Object.entries(options));
  return Object.entries(kinds)
    .filter(([name, { accepts }]) => given.get(name) !== undefined && !accepts(given.get(name)))
    .map(([name, { expected }]) => `${name} must be ${expected}.`);
}

/** Converts the options to the form of a command line, so that the same code validates both. */
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

const optionNames: Readonly<Record<string, string>> = {
  tag: "tags",
  threshold: "thresholds",
  ...Object.fromEntries(Object.keys(monitorKinds).map((option) => [option, "monitors"])),
  envFrom: "envFile",
};

/** Rewords a problem to name options instead of flags. */
export function rephraseForOptions(problem: string): string {
  return problem.replace(/(?<![\w-])--([a-z]+(?:-[a-z]+)*)(?= |:|,|$)/g, (_, flag: string) => {
    const name = camelCase(flag);
    return optionNames[name] ?? name;
  });
}

function camelCase(flag: string): string {
  return flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
