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
  /** Returns the first wrong response since the last call; null if all responses were right. */
  readonly findWrongResponse: () => Promise<string | null>;
  readonly stop: () => Promise<void>;
}

/** Writes the files that tools request. */
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

/**
 * Requests a status page of a server. Does not use `fetch`: because of its headers, Caddy takes it for a
 * browser and rejects it.
 */
export async function fetchStatus(url: string): Promise<string> {
  const [response] = (await once(get(url, { agent }), "response")) as [IncomingMessage];
  const body = await text(response);
  if (response.statusCode !== 200)
    throw new Error(`${url}: status ${response.statusCode ?? "none"}: ${body}`);
  return body;
}
