import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { InvalidTest } from "@bearhug/plan/definition/invalid-test";
import { bundleTest } from "@bearhug/plan/test-file/bundle";
import { displayPath, startOfFile } from "@bearhug/plan/test-file/source-lines";
import { optionsObject } from "@bearhug/plan/validation/option-schemas";
import { type Config, InvalidInput, type Problem } from "@bearhug/sdk";
import { configShape, ProblemCollector } from "@bearhug/sdk/internal";
import { foldersAround } from "@bearhug/text/find-upwards";

/** The options of a project, with paths relative to the current folder. */
export type ProjectConfig = { readonly [Name in keyof Config]: Config[Name] | undefined };

/** A project's options and their file; null if there is no file. */
interface LoadedConfig {
  readonly file: string | null;
  readonly config: ProjectConfig;
}

const names = ["ts", "mts", "js", "mjs"].map((ending) => `bearhug.config.${ending}`);

/**
 * Reads a project's configuration from the given file, or from the nearest one in the current folder or
 * above. Empty if there is none.
 * @throws {InvalidInput} with every problem
 */
export async function loadConfig(given: string | undefined): Promise<LoadedConfig> {
  if (given !== undefined && !existsSync(given))
    throw new InvalidInput([`--config ${given}: there is no such file.`]);
  const file = given ?? findConfig(process.cwd());
  if (file === null) return { file: null, config: {} };
  const { config, problems } = readConfig(await evaluate(file));
  if (problems.length > 0)
    throw new InvalidInput(problems.map(({ message }) => `${displayPath(resolve(file))}: ${message}`));
  return { file: displayPath(resolve(file)), config: relativeToHere(config, dirname(resolve(file))) };
}

/** Reads a value as a configuration, and returns every problem. Throws nothing. */
function readConfig(value: unknown): {
  readonly config: ProjectConfig;
  readonly problems: readonly Problem[];
} {
  const collector = new ProblemCollector("The configuration");
  const config = collector.read(optionsObject("bearhug.config.ts", configShape()), value, []);
  return { config: config ?? {}, problems: collector.problems };
}

function findConfig(folder: string): string | null {
  const paths = foldersAround(folder).flatMap((one) => names.map((name) => join(one, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}

/** The longest time that a configuration, or the module of a test, may take to load. */
export const loadTimeoutMs = 20_000;

/**
 * Returns the module's default export, converted to JSON. Its code runs in a separate process, which it may
 * block or end.
 */
async function evaluate(file: string): Promise<unknown> {
  const bundle = await bundleTest(file);
  try {
    const child = spawn(
      process.execPath,
      ["--input-type=module", "--eval", program(bundle.path)],
      // The child's output must not mix with the command's.
      { stdio: ["ignore", "ignore", "ignore", "ipc"], timeout: loadTimeoutMs, killSignal: "SIGKILL" },
    );
    const answers: unknown[] = [];
    child.on("message", (answer) => answers.push(answer));
    await once(child, "close");
    const [answer] = answers;
    const reply =
      typeof answer === "object" && answer !== null ? new Map<string, unknown>(Object.entries(answer)) : null;
    if (reply?.has("config") === true) return reply.get("config");
    const problem = reply?.get("problem");
    const ended = `its process ended, or took longer than ${loadTimeoutMs} ms`;
    const why = typeof problem === "string" ? problem : ended;
    throw new InvalidTest([{ path: "", message: `cannot be loaded: ${why}`, position: startOfFile(file) }]);
  } finally {
    bundle.remove();
  }
}

/** Refuses values that JSON cannot represent, because it would drop them or end the process. */
function program(bundlePath: string): string {
  const url = JSON.stringify(pathToFileURL(bundlePath).href);
  return `const plain = (name, value) => {
    if (!["function", "symbol", "bigint"].includes(typeof value)) return value;
    throw (name === "" ? "the default export" : name) + " must be plain data, but is a " + typeof value;
  };
  import(${url}).then((module) => ({
    config: module.default === undefined ? null : JSON.parse(JSON.stringify(module.default, plain)),
  })).catch((error) => ({ problem: String(error) }))
    .then((answer) => process.send(answer, () => process.exit()));`;
}

function relativeToHere(config: ProjectConfig, folder: string): ProjectConfig {
  const path = (text: string): string => displayPath(resolve(folder, text));
  const { tests, out, envFile } = config;
  return {
    ...config,
    tests: tests?.map(path),
    out: out?.map((text) => {
      if (/^[^=]*\.[mc]?[jt]s$/.test(text)) return path(text);
      const [, kind, file] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
      // Metrics go to an address, not to a file.
      return kind === undefined || file === undefined || /^(?:otlp|prometheus)$/.test(kind)
        ? text
        : `${kind}=${path(file)}`;
    }),
    envFile: envFile === undefined ? undefined : path(envFile),
  };
}
