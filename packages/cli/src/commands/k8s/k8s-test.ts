import { loadModule } from "@bearhug/engine/run/load-test";
import type { ValidatedTest } from "@bearhug/plan/definition/validated-test";
import { monitorTokenVariable } from "@bearhug/plan/monitors/monitor-kinds";
import { givenText } from "@bearhug/plan/test-file/read-env";
import type { RunOptions } from "@bearhug/plan/test-file/run-options";
import { Command } from "commander";

import { packJob } from "../../cluster/job/pack-job.ts";
import type { TestInCluster } from "../../kubernetes/run-manifest-options.ts";
import { addLoadOptions, addPlanOptions } from "../load-options.ts";

/** A test prepared for a cluster. */
export interface SentTest {
  readonly inCluster: TestInCluster;
  /** The description of a packed test, which may contain secrets; null for a test in the image. */
  readonly job: string | null;
  /** For a test in the image: the values for its Secret, by variable. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Packs a test with the files that it reads. @throws {InvalidInput} with a sentence for each file that cannot
 * be sent
 */
export async function packTest(file: string, options: RunOptions): Promise<SentTest> {
  const loaded = await loadModule(file);
  try {
    const packed = await packJob({ loaded, options, files: [], workingFolder: process.cwd() });
    const contents = packed.files.map(async (one) => [one.sha256, await packed.read(one)] as const);
    const files = new Map(await Promise.all(contents));
    return { inCluster: { kind: "packed", files }, job: packed.description, variables: {} };
  } finally {
    loaded.remove();
  }
}

/**
 * Prepares a test that is in the image, at this path. Its options become arguments of the coordinator. Its
 * variables, and options with credentials, become part of the Secret.
 */
export function testInImage(
  path: string,
  { env }: Pick<ValidatedTest, "env">,
  { env: commandLine, envFile: file }: Pick<RunOptions, "env" | "envFile">,
  command: Command,
): SentTest {
  const given = { commandLine, file, environment: process.env };
  const variables = Object.entries(env).flatMap(([name, declaration]) => {
    const value = givenText(name, declaration, given);
    return value === undefined ? [] : [[name, value] as const];
  });
  const options = loadOptions(command);
  const secret = [...variables, ...options.filter(isSecret).map(variableOfOption), ...monitorToken(options)];
  const inCluster: TestInCluster = {
    kind: "in-image",
    path,
    options: options.filter((option) => !isSecret(option)).flatMap(argumentsOf),
    variables: secret.map(([name]) => name),
  };
  return { inCluster, job: null, variables: Object.fromEntries(secret) };
}

/** An option of the load, with its values. */
interface LoadOption {
  /** The long name, such as `--rate`. */
  readonly flag: string;
  /** Empty for a flag without a value. */
  readonly values: readonly string[];
}

/** True for an option with credentials. Everybody who may view pods can read arguments in their manifests. */
function isSecret({ values }: LoadOption): boolean {
  return values.some((value) => /:\/\/[^/?#\s]*@/.test(value));
}

function variableOfOption({ flag, values }: LoadOption): readonly [string, string] {
  return [`BEARHUG_${flag.slice(2).toUpperCase().replaceAll("-", "_")}`, values.join("\n")];
}

function monitorToken(options: readonly LoadOption[]): (readonly [string, string])[] {
  const token = process.env[monitorTokenVariable] ?? "";
  const isSent = token !== "" && options.some(({ flag }) => flag === "--monitor");
  return isSent ? [[monitorTokenVariable, token]] : [];
}

function argumentsOf({ flag, values }: LoadOption): string[] {
  return values.length === 0 ? [flag] : values.flatMap((value) => [flag, value]);
}

/** Options of reports, which this machine writes, and of variables, which go into the Secret. */
const notForPods = ["--env", "--env-from", "--out", "--latency", "--quiet"];

/** Returns the options of the load that were given to a command. */
function loadOptions(command: Command): LoadOption[] {
  const loadFlagNames = addLoadOptions(addPlanOptions(new Command())).options.map(({ long }) => long);
  return command.options.flatMap((option): LoadOption[] => {
    const { long: flag } = option;
    const source = command.getOptionValueSource(option.attributeName());
    if (flag === undefined || source === undefined || source === "default") return [];
    if (!loadFlagNames.includes(flag) || notForPods.includes(flag)) return [];
    const value: unknown = command.getOptionValue(option.attributeName());
    if (value === true) return [{ flag, values: [] }];
    const given: unknown[] = Array.isArray(value) ? value : [value];
    const values = given.filter((one) => typeof one === "string");
    return values.length === 0 ? [] : [{ flag, values }];
  });
}
