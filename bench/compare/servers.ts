import { mkdirSync, writeFileSync } from "node:fs";
import { Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import { pageFiles } from "./cases.ts";
import type { Target } from "./load.ts";
import type { ServerCounts } from "./server-counts.ts";

/** A server under load, pinned to a core. */
export interface TargetServer {
  readonly pid: number;
  readonly origins: Readonly<Partial<Record<Target, string>>>;
  readonly counts: () => Promise<ServerCounts>;
  /** The first response since it was last asked that was not what the tools were to get; null if all were. */
  readonly findWrongResponse: () => Promise<string | null>;
  readonly stop: () => Promise<void>;
}

/** Writes the files that tools ask for. */
export function writeSite(folder: string): void {
  mkdirSync(join(folder, "page"), { recursive: true });
  writeFileSync(join(folder, "hello"), "hello\n");
  writeFileSync(join(folder, "16k.bin"), filler(16));
  for (const [name, kb] of Object.entries(pageFiles)) writeFileSync(join(folder, "page", name), filler(kb));
}

const line = "The quick brown bear hugs the lazy dog, and counts every request. \n";

function filler(kb: number): string {
  return line.repeat(Math.ceil((kb * 1024) / line.length)).slice(0, kb * 1024);
}

const agent = new Agent({ keepAlive: true });

/** What a server says about itself. Not by `fetch`: its headers make Caddy take it for a browser, which it refuses. */
export async function ask(url: string): Promise<string> {
  const [response] = (await once(get(url, { agent }), "response")) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode !== 200)
    throw new Error(`${url}: status ${response.statusCode ?? "none"}: ${answer}`);
  return answer;
}
