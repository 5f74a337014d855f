import type { ListenOptions } from "@bearhug/report/local-server/listen";
import { Command } from "commander";

import { addListenAction, serveUntilSignal, type Listener } from "./serve.ts";

export function createCommand(): Command {
  const command = new Command("demo").description("serve a small site to practice on");
  return addListenAction(command, 8080, serveDemo);
}

async function serveDemo({ address }: Listener): Promise<void> {
  const { startDemo } = await import("../../demo/start-demo.ts");
  const start = (at: ListenOptions): ReturnType<typeof startDemo> => startDemo({ ...at, onBug: reportBug });
  await serveUntilSignal(start, address, (url) => {
    process.stdout.write(`bearhug demo on ${url}\n`);
    if (process.stderr.isTTY) process.stderr.write(renderSuggestions(url));
  });
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
Press Ctrl-C to stop.
`;
}
