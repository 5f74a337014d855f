import { Command, Option } from "commander";

import { captureProblems } from "./capture-problems.ts";
import { importFile } from "./import-file.ts";
import {
  addImportOptions,
  type ImportCommandOptions,
  type ImportFlags,
  readImportOptions,
} from "./import-options.ts";
import { jsonOption } from "../load-options.ts";
import { addAction } from "../reading.ts";
import { reportFailures } from "../report-failures.ts";

export function createCommand(): Command {
  const command = new Command("import")
    .description("turn a capture of a browser (HAR) into a test")
    .argument("<capture.har>", "a capture: .har, .har.gz, or Playwright's .zip")
    .addOption(new Option("-o, --output <file.ts>", "write the test here, with its data and .env.example"));
  return addAction(addImportOptions(command).addOption(jsonOption()), readImport, importCommand);
}

interface RequestedImport {
  readonly capture: string;
  readonly options: ImportCommandOptions;
}

function readImport([capture]: readonly string[], flags: ImportFlags, problems: string[]): RequestedImport {
  if (capture !== undefined) problems.push(...captureProblems(capture));
  return { capture: capture ?? "", options: readImportOptions(capture, flags, problems) };
}

async function importCommand({ capture, options }: RequestedImport, flags: ImportFlags): Promise<void> {
  await reportFailures("import", () => importFile(capture, options, flags));
}
