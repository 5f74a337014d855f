import { basename } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { printable } from "../format/printable.ts";
import { InvalidInput } from "../invalid-input.ts";
import { readCaptureFile } from "../mock/read-capture-file.ts";
import { type Mock, startMock } from "../mock/start-mock.ts";
import type { Finding } from "@bearhug/har-import";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const maxShownFindings = 5;

interface Options {
  readonly port: number;
  readonly host: string;
}

export function createCommand(): Command {
  return new Command("mock")
    .description("serve a capture's own responses locally")
    .argument("<capture.har>", "a browser's recording")
    .option("--port <number>", "port to listen on; 0 takes any that is free", parsePort, 0)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .action(serveCapture);
}

async function serveCapture(path: string, options: Options): Promise<void> {
  const capture = await readCaptureFile(path);
  process.stderr.write(renderFindings(capture.findings));
  const mock = await listen(() => startMock(capture, options), options);
  const stopped = untilSignal();
  process.stdout.write(`bearhug mock: ${printable(basename(path))} on ${mock.url}\n`);
  await stopped;
  await mock.close();
}

/** What of the capture could not be read: a few lines, then how many more. */
function renderFindings(findings: readonly Finding[]): string {
  const shown = findings.slice(0, maxShownFindings).map(({ path, problem }) => `${path}: ${problem}`);
  const more = findings.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])]
    .map((line) => `bearhug mock: ${line}\n`)
    .join("");
}

async function listen(start: () => Promise<Mock>, { port, host }: Options): Promise<Mock> {
  try {
    return await start();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : null;
    if (code === null) throw error;
    const advice =
      code === "EADDRINUSE" ? " The port is in use: choose another, or --port 0 for any that is free." : "";
    throw new InvalidInput([`Cannot listen on ${host}:${port} (${code}).${advice}`], { cause: error });
  }
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const signal of stopSignals) process.off(signal, stop);
      resolve();
    };
    for (const signal of stopSignals) process.on(signal, stop);
  });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("A port is a whole number from 0 to 65535.");
  return port;
}
