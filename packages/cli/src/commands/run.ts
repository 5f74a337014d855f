import { existsSync, statSync } from "node:fs";
import { basename, extname } from "node:path";

import { Command, Option } from "commander";

import { InvalidInput } from "../invalid-input.ts";
import { bundleTest } from "../test-file/bundle.ts";
import { createThresholdFinder } from "../test-file/threshold-position.ts";
import { SourceLines } from "../test-file/source-lines.ts";
import { addLoadOptions, collect, readFlags, type LoadFlags } from "./load-options.ts";
import { runAndReport, type LoadedTest } from "./run-and-report.ts";

export function createCommand(): Command {
  const command = new Command("run")
    .description("run a test, enforce its thresholds")
    .argument("<file>", "a test (.ts, .js) or a browser's capture (.har)")
    .addOption(new Option("--target <url>", "the site to load, instead of the test's baseUrl"))
    .addOption(new Option("--vus <n>", "virtual users of the one scenario"))
    .addOption(new Option("--duration <time>", "how long the one scenario lasts: 30s, 5m"))
    .addOption(new Option("--iterations <n>", "iterations of the one scenario, shared by its VUs"))
    .addOption(new Option("--scenario <name>", "run this scenario alone"))
    .addOption(
      new Option("--env <name=value>", "a variable that the test declares")
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(new Option("--env-file <path>", "such variables from a .env file"));
  return addLoadOptions(command).action(run);
}

export function findProblems([file]: readonly string[], command: Command): string[] {
  const problems = file === undefined ? [] : fileProblems(file);
  readFlags(command.opts<LoadFlags>(), !isCapture(file ?? ""), problems);
  return problems;
}

async function run(file: string, flags: LoadFlags): Promise<void> {
  const problems: string[] = [];
  const options = readFlags(flags, !isCapture(file), problems);
  problems.push(...fileProblems(file));
  if (problems.length > 0) throw new InvalidInput(problems);
  await runAndReport(() => loadTest(file, options.target), options, flags, file);
}

function fileProblems(file: string): string[] {
  if (!existsSync(file)) return [`There is no file ${file}.`];
  return statSync(file).isFile() ? [] : [`${file} is a folder; a test is a .ts, .js or .har file.`];
}

function isCapture(file: string): boolean {
  return extname(file).toLowerCase() === ".har";
}

/** By its ending: a capture is data, everything else is code for the bundler. */
async function loadTest(file: string, target: URL | null): Promise<LoadedTest> {
  const fallbackName = basename(file);
  if (isCapture(file)) {
    const { readCaptureModel } = await import("../mock/read-capture-file.ts");
    const source = {
      kind: "capture",
      model: await readCaptureModel(file),
      target: target?.origin ?? null,
    } as const;
    return { source, fallbackName, locate: () => null, locateThreshold: () => null, remove: () => undefined };
  }
  const bundle = await bundleTest(file);
  const lines = new SourceLines(bundle.path);
  return {
    source: { kind: "module", bundlePath: bundle.path },
    fallbackName,
    locate: (position) => lines.locate(position),
    locateThreshold: createThresholdFinder(file),
    remove: () => {
      bundle.remove();
    },
  };
}
