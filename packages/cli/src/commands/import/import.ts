import { InvalidInput } from "@bearhug/sdk";
import { Command, Option } from "commander";

import { captureProblems } from "./capture-problems.ts";
import { importFile } from "./import-file.ts";
import { addImportOptions, type ImportFlags, readImportOptions } from "./import-options.ts";
import { jsonOption } from "../load-options.ts";
import { reportFailures } from "../report-failures.ts";

export function createCommand(): Command {
  const command = new Command("import")
    .description("turn a capture of a browser (HAR) into a test")
    .argument("<capture.har>", "a capture: .har, .har.gz, or Playwright's .zip")
    .addOption(new Option("-o, --output <file.ts>", "write the test here, with its data and .env.example"));
  return addImportOptions(command).addOption(jsonOption()).action(importCommand);
}

export function findProblems([capture]: readonly string[], command: Command): string[] {
  const problems = capture === undefined ? [] : captureProblems(capture);
  readImportOptions(capture, command.opts<ImportFlags>(), problems);
  return problems;
}

async function importCommand(capture: string, flags: ImportFlags): Promise<void> {
  const problems = captureProblems(capture);
  const options = readImportOptions(capture, flags, problems);
  if (problems.length > 0) throw new InvalidInput(problems);
  await reportFailures("import", () => importFile(capture, options, flags));
}
