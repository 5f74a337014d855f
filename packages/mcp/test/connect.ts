import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tmpdir } from "node:os";

import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

import { command } from "../../cli/test/command.ts";
import type { Bounds } from "../src/bounds.ts";
import { DocsSearch } from "../src/search-docs.ts";
import { createServer, type ServerOptions } from "../src/server.ts";

/** The outcome of a tool call. */
export interface Answer {
  readonly text: string;
  readonly isError: boolean;
}

/**
 * Returns the parts of a server as the program has them, except that the command is built from the sources.
 */
export function partsFor(bounds: Bounds): ServerOptions {
  return {
    version: "0.0.0",
    bounds,
    command: [command],
    config: join(import.meta.dirname, "../assets/no-config.mjs"),
    results: folderOf({}),
    kill: new AbortController().signal,
    docs: () => new DocsSearch(join(import.meta.dirname, "../../../docs")),
  };
}

/** Connects an agent's client to a server with these bounds, until the test ends. */
export async function connect(bounds: Bounds): Promise<Client> {
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair();
  const server = createServer(partsFor(bounds));
  const client = new Client({ name: "agent", version: "1.0.0" });
  await Promise.all([server.connect(ofServer), client.connect(ofClient)]);
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return client;
}

/** Calls a tool. A call that fails in the protocol is returned as an error, too. */
export async function call(
  client: Client,
  name: string,
  values: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  try {
    const { content, isError = false } = await client.callTool({ name, arguments: { ...values } });
    const texts = content.map((one) => (one.type === "text" ? one.text : one.type));
    return { text: texts.join("\n"), isError };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  }
}

/** Makes a folder with these files, which is removed when the test ends. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-mcp-test-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}
