import { join, relative, resolve } from "node:path";

import { writeFiles } from "@bearhug/report/file-output/write-files";
import { InvalidInput } from "@bearhug/sdk";
import { version } from "@bearhug/text/version";
import { Command, Option } from "commander";

import { addAction, readOrThrow } from "../reading.ts";
import { switchOption } from "../options.ts";
import { findProject } from "../../project/find-project.ts";
import { type NewTest, planProject } from "../../project/plan-project.ts";
import type { Project } from "../../project/project.ts";
import { readAddress } from "../bench/bench-address.ts";
import { captureProblems } from "../import/capture-problems.ts";
import { reportFailures } from "../report-failures.ts";
import { promptLine, canPrompt } from "../import/prompts.ts";
import { printText } from "../print-document.ts";
import { untilStopped } from "../stop-signals.ts";
import { writeFirstTest, importTest } from "./first-test.ts";
import { renderNext, renderPlan } from "./render-init.ts";

interface InitFlags {
  readonly har?: string;
  readonly agents: boolean;
  readonly directory: string;
  readonly yes: boolean;
  readonly dryRun: boolean;
}

/** The address of `bearhug demo`. */
const defaultAddress = "http://127.0.0.1:8080/";
const firstTest = "load/first.load.ts";

export function createCommand(): Command {
  const command = new Command("init")
    .description("add a first test, scripts, VS Code files and a GitHub workflow to a project")
    .argument("[url]", "the page to load")
    .addOption(new Option("--har <capture.har>", "import the first test from a capture"))
    .addOption(switchOption("--agents", "also tell coding agents in AGENTS.md how load tests are written"))
    .addOption(new Option("--directory <folder>", "the project's folder").default("."))
    .addOption(switchOption("--yes", "write the files without asking"))
    .addOption(switchOption("--dry-run", "show the files and write nothing"));
  return addAction(command, readGiven, init);
}

interface Given {
  /** The page's address; null to choose it later. */
  readonly address: string | null;
}

function readGiven([url]: readonly string[], { har }: InitFlags, problems: string[]): Given {
  const address = url === undefined ? null : readPage(url, problems);
  if (har !== undefined) problems.push(...captureProblems(har));
  if (url !== undefined && har !== undefined)
    problems.push("--har: the recording has its own addresses. Leave out <url>, or --har.");
  return { address };
}

/** Reads the page's address. It must not have a password, which would end up in the test, and so in git. */
function readPage(url: string, problems: string[]): string {
  const { href, authorization } = readAddress(url, "<url>: ", problems);
  if (authorization !== null)
    problems.push("<url>: leave out the user and password; they would be written into the test.");
  return href;
}

async function init({ address }: Given, flags: InitFlags): Promise<void> {
  const project = findProject(flags.directory, process.env);
  const test = await makeTest(address, flags, project);
  const plan = planProject(project, test, { version, forAgents: flags.agents });
  await print(renderPlan(plan, shownRoot(project)));
  const files = plan.filter((file) => file.kind !== "kept");
  if (files.length === 0 || flags.dryRun || !(await mayWrite(flags))) return;
  const outputs = files.map(({ path, text }) => ({ path: join(project.root, path), content: text }));
  await reportFailures("init", async () => {
    await untilStopped((signal) => writeFiles(outputs, { signal }));
    const folder = relative(process.cwd(), join(project.root, project.prefix));
    await print(renderNext(project.packageManager, test, folder));
  });
}

async function makeTest(given: string | null, flags: InitFlags, project: Project): Promise<NewTest> {
  if (flags.har !== undefined) return importTest(flags.har);
  const isThere = project.read(project.prefix + firstTest) !== null;
  const shouldPrompt = given === null && !isThere && !flags.yes && !flags.dryRun && canPrompt();
  const address = given ?? (shouldPrompt ? await promptAddress() : defaultAddress);
  return { path: firstTest, source: writeFirstTest(address), beside: [], address, variables: [] };
}

/** @throws {InvalidInput} */
async function promptAddress(): Promise<string> {
  const answer = await promptLine(`The page to load [${defaultAddress}]:`);
  if (answer === null || answer === "") return defaultAddress;
  return readOrThrow((problems) => readPage(answer, problems));
}

/** @throws {InvalidInput} if the user cannot be prompted */
async function mayWrite({ yes }: InitFlags): Promise<boolean> {
  if (yes) return true;
  if (!canPrompt())
    throw new InvalidInput(["There is no terminal to confirm on. Add --yes to write these files."]);
  const answer = await promptLine("Write these files? [Y/n]");
  return answer !== null && !/^n/i.test(answer);
}

/** Returns the project's root; null if it is the current folder. */
function shownRoot({ root }: Project): string | null {
  return resolve(root) === process.cwd() ? null : root;
}

async function print(text: string): Promise<void> {
  await printText(process.stdout, text);
}
