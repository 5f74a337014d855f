import { basename } from "node:path";

import type { Finding } from "@bearhug/har-import";
import { printable } from "@bearhug/text/printable";
import { Command } from "commander";

import { switchOption } from "../options.ts";
import { addListenAction, serveUntilSignal, type Listener } from "./serve.ts";

const maxShownFindings = 5;

export function createCommand(): Command {
  const command = new Command("mock")
    .description("serve the responses of a capture (HAR) locally")
    .argument("<capture.har>", "a capture: a .har file")
    .addOption(switchOption("--latency", "reproduce the recorded response times").helpGroup("Output:"));
  return addListenAction(command, 0, (listener) => serveCapture(listener, command.opts<MockFlags>()));
}

interface MockFlags {
  readonly latency: boolean;
}

async function serveCapture({ operand: path, address }: Listener, { latency }: MockFlags): Promise<void> {
  const { readCaptureFile } = await import("../../capture-file/read-capture-file.ts");
  const { startMock } = await import("../../mock/start-mock.ts");
  const capture = await readCaptureFile(path);
  process.stderr.write(renderFindings(capture.findings));
  await serveUntilSignal(
    (at) => startMock(capture, { ...at, latency }),
    address,
    (url) => process.stdout.write(`bearhug mock: ${printable(basename(path))} on ${url}\n`),
  );
}

/** Lists parts of the capture that could not be read: a few lines, then how many more. */
function renderFindings(findings: readonly Finding[]): string {
  const shown = findings.slice(0, maxShownFindings).map(({ path, problem }) => `${path}: ${problem}`);
  const more = findings.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])]
    .map((line) => `bearhug mock: ${line}\n`)
    .join("");
}
