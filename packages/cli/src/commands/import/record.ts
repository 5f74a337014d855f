import { existsSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";

import { makeTemporaryFolder } from "@bearhug/plan/test-file/run-folders";
import { InvalidInput } from "@bearhug/sdk";
import { printable } from "@bearhug/text/printable";
import { Command, Option } from "commander";

import { switchOption } from "../options.ts";
import { browserNames, findBrowser, type FoundBrowser, type Machine } from "../../browser/find-browser.ts";
import { loadFlow, type Flow } from "../../browser/load-flow.ts";
import { loadPlaywright } from "../../browser/load-playwright.ts";
import { recordVisit, untilClosed } from "../../browser/record-visit.ts";
import { readAddress } from "../bench/bench-address.ts";
import { importFile } from "./import-file.ts";
import { agreeOnValues } from "./import-values.ts";
import {
  addImportOptions,
  type ImportCommandOptions,
  type ImportFlags,
  readImportOptions,
} from "./import-options.ts";
import { addReader } from "../reading.ts";
import { reportFailures } from "../report-failures.ts";
import { untilStopped } from "../stop-signals.ts";
import { warn } from "../warn.ts";

interface RecordFlags extends ImportFlags {
  readonly browser?: string;
  readonly script?: string;
  readonly headless: boolean;
}

export function createCommand(): Command {
  const command = new Command("record")
    .description("record a visit in your own browser, and import it as a test")
    .argument("<url>", "the page to begin at")
    .addOption(
      new Option("-o, --output <file.ts>", "write the test here, with its data and .env.example").default(
        "load/recorded.load.ts",
      ),
    )
    .addOption(
      new Option("--browser <name>", "chrome, edge, chromium, or the path of one (default: the first found)"),
    )
    .addOption(new Option("--script <flow.ts>", "let this Playwright script make the visit"))
    .addOption(switchOption("--headless", "open no window; needs --script"));
  return addReader(addImportOptions(command).action(record), readVisit);
}

interface RequestedVisit {
  readonly page: string;
  readonly options: ImportCommandOptions;
}

function readVisit([url]: readonly string[], flags: RecordFlags, problems: string[]): RequestedVisit {
  const page = url === undefined ? "" : readPage(url, problems);
  return { page, options: readFlags(flags, problems) };
}

function readPage(url: string, problems: string[]): string {
  const { href, authorization } = readAddress(url, "<url>: ", problems);
  if (authorization !== null)
    problems.push("<url>: leave out the user and password, and log in while the visit is recorded.");
  return href;
}

function readFlags(flags: RecordFlags, problems: string[]): ImportCommandOptions {
  const { script, headless } = flags;
  if (headless && script === undefined)
    problems.push("--headless: needs --script, because a headless browser has no window to click in.");
  if (script !== undefined && !existsSync(script))
    problems.push(`--script ${script}: there is no such file.`);
  return readImportOptions(undefined, flags, problems);
}

async function record(url: string, flags: RecordFlags): Promise<void> {
  const problems: string[] = [];
  const { page, options } = readVisit([url], flags, problems);
  const machine = { platform: process.platform, environment: process.env, isFile };
  const browser = findBrowser(flags.browser, machine);
  const playwright = loadPlaywright(process.cwd());
  if (browser === null) problems.push(missingBrowser(flags.browser));
  if (playwright === null) problems.push(missingPlaywright);
  if (!flags.headless && !hasDisplay(machine)) problems.push(missingDisplay);
  if (problems.length > 0 || browser === null || playwright === null) throw new InvalidInput(problems);
  const { output, withValues, yes } = flags;
  // Checked before the visit: an error after it would lose all the user's clicks.
  const mayIgnore = withValues && output !== undefined && (await agreeOnValues(output, yes));
  const flow = flags.script === undefined ? flowByHand(browser) : await loadFlow(flags.script);
  try {
    await reportFailures("record", () =>
      untilStopped(async (signal) => {
        const visit = { url: page, browser, isHeadless: flags.headless, drive: flow.drive, signal };
        await inPrivateFolder(async (folder, keep) => {
          const har = join(folder, "recorded.har");
          await recordVisit(playwright, { ...visit, har });
          try {
            await importFile(har, options, { ...flags, yes: yes || mayIgnore }, signal);
          } catch (error) {
            keep();
            warn(describeKept(har, flags));
            throw error;
          }
        });
      }),
    );
  } finally {
    flow.close();
  }
}

const missingPlaywright =
  'bearhug record needs Playwright to drive your browser. Run "npm install --save-dev playwright-core", which downloads no browser, and try again.';

const missingDisplay =
  "There is no display for a window (neither DISPLAY nor WAYLAND_DISPLAY is set). Record with --headless --script flow.ts.";

function missingBrowser(requested: string | undefined): string {
  const known = browserNames.join(", ");
  if (requested === undefined)
    return "No Google Chrome, Microsoft Edge or Chromium was found. Install one, or pass the path of one with --browser.";
  return `--browser ${requested}: was not found. Use ${known}, or the path of one.`;
}

function hasDisplay({ platform, environment }: Machine): boolean {
  if (platform === "win32" || platform === "darwin") return true;
  return [environment["DISPLAY"], environment["WAYLAND_DISPLAY"]].some(Boolean);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Returns a flow in which the user makes the visit by hand. */
function flowByHand({ name }: FoundBrowser): Flow {
  return {
    drive: async (page) => {
      process.stderr.write(`Recording in ${printable(name)}. Make your visit, then close the window.\n`);
      await untilClosed(page.context());
    },
    close: () => undefined,
  };
}

/** Describes how to import a visit whose import failed, so that it need not be repeated. */
function describeKept(har: string, { output = "", withValues }: RecordFlags): string {
  const line = ["bearhug import", har, "-o", output, ...(withValues ? ["--with-values"] : [])].join(" ");
  return `The visit was recorded, but not imported. Its recording holds everything that you typed, and only you can read it: ${har}. To import it: ${line}. Then delete it.`;
}

/**
 * Runs `work` with a folder that only this user can read, and deletes it afterwards unless `keep` was called.
 */
async function inPrivateFolder(work: (folder: string, keep: () => void) => Promise<void>): Promise<void> {
  const folder = await makeTemporaryFolder("bearhug-record-");
  const outcome = { isKept: false };
  try {
    await work(folder, () => {
      outcome.isKept = true;
    });
  } finally {
    if (!outcome.isKept) await rm(folder, { recursive: true, force: true });
  }
}
