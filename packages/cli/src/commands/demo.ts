import { Command, InvalidArgumentError } from "commander";
import { type Demo, type DemoOptions, startDemo } from "../demo/start-demo.ts";
import { InvalidInput } from "../invalid-input.ts";

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function createCommand(): Command {
  return new Command("demo")
    .description("a local site to practise on")
    .option("--port <number>", "port to listen on; 0 takes any that is free", parsePort, 8080)
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .action(serveDemo);
}

async function serveDemo(options: DemoOptions): Promise<void> {
  const demo = await listen(options);
  const stopped = untilSignal();
  process.stdout.write(`bearhug demo on ${demo.url}\n`);
  if (process.stderr.isTTY) process.stderr.write(renderSuggestions(demo.url));
  await stopped;
  await demo.close();
}

async function listen(options: DemoOptions): Promise<Demo> {
  try {
    return await startDemo({ ...options, onBug: reportBug });
  } catch (error) {
    throw new InvalidInput([explainListenError(error, options)], { cause: error });
  }
}

/** One sentence on why the site cannot listen there, and what to do about it. */
export function explainListenError(error: unknown, { port, host }: DemoOptions): string {
  const where = `${host}:${port}`;
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use. Choose another with --port, or --port 0 for any that is free.`;
    case "EACCES":
      return `Listening on ${where} is not permitted. Choose a port above 1023 with --port.`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `${host} is not an address of this machine (${code}). Choose one with --host; 127.0.0.1 always works.`;
    default:
      return `The demo cannot listen on ${where}: ${code}.`;
  }
}

function reportBug(error: unknown): void {
  process.stderr.write(
    `bearhug demo: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
}

function renderSuggestions(url: string): string {
  return `
Try, in another terminal:
  bearhug ${url} -c 20 -d 10s
  bearhug run examples/front-page.ts --target ${url}
Ctrl-C ends it.
`;
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
