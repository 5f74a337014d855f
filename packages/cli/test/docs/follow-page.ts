import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { delimiter, dirname, join } from "node:path";

import { onTestFinished, vi } from "vitest";

import { command } from "../command.ts";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";
import { freePort } from "../free-port.ts";
import { runKept } from "../kept-process/kept-process.ts";

/** A command of a page, with its exit code and output. */
export interface Followed {
  readonly line: string;
  readonly exitCode: number | null;
  readonly output: string;
}

/** A code block of a page. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

/** A page whose commands were run. */
export interface FollowedPage {
  readonly folder: string;
  readonly commands: readonly Followed[];
}

const docs = join(import.meta.dirname, "../../../../docs");
const block = /^```(\w+)\n(.*?)^```$/gms;
const fileName = /^(?:\/\/|#) (\S+\.\w+)\n/;

/**
 * Follows the instructions of a page in docs/: saves its files, whose first line is their name, in an empty
 * folder, and runs its commands in a shell, in their order. `bash` blocks are skipped: they install software
 * that tests cannot. A command that ends in `&` runs until the test ends; the next command waits until it
 * listens. Each port of the page is replaced by a free one, and each key of `shortened` by its value, such as
 * `-d 30s` by `-d 1s`.
 */
export async function followPage(
  page: string,
  shortened: Readonly<Record<string, string>>,
): Promise<FollowedPage> {
  const folder = temporaryFolder();
  // If root starts nginx, its workers run as another user and must be able to read the folder.
  chmodSync(folder, 0o755);
  const blocks = readBlocks(await withFreePorts(shorten(readFileSync(join(docs, page), "utf8"), shortened)));
  const files = blocks.flatMap(({ text }) => {
    const [, name] = fileName.exec(text) ?? [];
    return name === undefined ? [] : [{ name, text }];
  });
  for (const { name, text } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const environment = installBearhug(folder);
  const commands: Followed[] = [];
  for (const line of blocks.flatMap(commandsOf)) {
    if (!line.endsWith("&")) commands.push(await follow(line, folder, environment));
    else {
      startServer(line, folder, environment);
      const named = files.filter(({ name }) => line.includes(name));
      await Promise.all(named.flatMap(({ text }) => portsOf(text)).map(listens));
    }
  }
  return { folder, commands };
}

function shorten(page: string, shortened: Readonly<Record<string, string>>): string {
  return Object.entries(shortened).reduce((text, [long, short]) => {
    if (!text.includes(long)) throw new TypeError(`the page does not say "${long}"`);
    return text.replaceAll(long, short);
  }, page);
}

/** Replaces the ports of the page, as in `127.0.0.1:8081` and `listen(8081, …)`, by free ones. */
async function withFreePorts(page: string): Promise<string> {
  const ports = new Set(page.match(/(?<=127\.0\.0\.1:|listen\()80\d\d\b/g));
  let text = page;
  for (const port of ports) {
    const free = String(await freePort());
    text = text.replaceAll(new RegExp(`\\b${port}\\b`, "g"), free);
  }
  return text;
}

export function readBlocks(page: string): Block[] {
  return [...page.matchAll(block)].map(([, language = "", text = ""]) => ({ language, text }));
}

/** Returns the command lines of a block in `sh`; none of a block in another language or of a file. */
export function commandsOf({ language, text }: Block): string[] {
  if (language !== "sh" || fileName.test(text)) return [];
  const lines = text.replaceAll("\\\n", " ").split("\n");
  return lines.filter((line) => line !== "");
}

function portsOf(source: string): number[] {
  return [...source.matchAll(/listen(?:\(| 127\.0\.0\.1:)(\d+)/g)].map(([, port]) => Number(port));
}

/**
 * Makes `npx bearhug` and `bearhug` run the command built from the sources. Returns the environment for a
 * shell.
 */
export function installBearhug(folder: string): NodeJS.ProcessEnv {
  const programs = join(folder, "programs");
  mkdirSync(programs);
  const start = `exec "${process.execPath}" "${command}" "$@"\n`;
  writeFileSync(join(programs, "npx"), `#!/bin/sh\nshift\n${start}`, { mode: 0o755 });
  writeFileSync(join(programs, "bearhug"), `#!/bin/sh\n${start}`, { mode: 0o755 });
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:BEARHUG|GITHUB)_/.test(name));
  const node = join(process.execPath, "..");
  return {
    ...Object.fromEntries(inherited),
    // Test machines are shared, so the generator may be saturated; that is not the pages' subject.
    BEARHUG_ALLOW_SATURATED: "true",
    PATH: [programs, node, process.env["PATH"], "/usr/sbin"].join(delimiter),
    XDG_CACHE_HOME: folder,
    NODE_OPTIONS: "",
    NO_COLOR: "1",
  };
}

/** A line that runs bearhug alone. */
const bearhugAlone = /^(?:npx )?bearhug ([^|;&<>`$()]*)$/;

/**
 * Runs a command line as in a shell: bearhug alone in a process that runs many, for less than half of the CPU
 * time, and all else in a shell. `onOutput` receives the whole output so far, each time that there is more.
 */
export async function follow(
  line: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  onOutput?: (output: string) => void,
): Promise<Followed> {
  const [, words] = bearhugAlone.exec(line) ?? [];
  return words === undefined || onOutput !== undefined
    ? followInShell(line, cwd, env, onOutput)
    : followAlone(line, words, cwd, env);
}

async function followAlone(
  line: string,
  words: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Followed> {
  // The shell knows best how to split a line into words.
  const split = execFileSync("sh", ["-c", `printf '%s\\0' ${words}`], { cwd, env, encoding: "utf8" });
  const environment = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const finished = new AbortController();
  onTestFinished(() => finished.abort());
  const kept = { arguments: split.split("\0").slice(0, -1), folder: cwd, environment };
  const { exitCode, stdout, stderr } = await runKept(kept, finished.signal);
  return { line, exitCode, output: stdout + stderr };
}

async function followInShell(
  line: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
  onOutput: (output: string) => void = () => undefined,
): Promise<Followed> {
  const child = spawn("sh", ["-c", `exec 2>&1; ${line}`], { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    onOutput(output);
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child, "close");
  return { line, exitCode: child.exitCode, output };
}

/** Starts a server in its own process group, so that all its child processes end with the test. */
function startServer(line: string, cwd: string, env: NodeJS.ProcessEnv): void {
  const server = spawn("sh", ["-c", line.slice(0, -1)], { cwd, env, stdio: "ignore", detached: true });
  onTestFinished(async () => {
    if (server.pid === undefined || server.exitCode !== null) return;
    const gone = once(server, "exit");
    process.kill(-server.pid, "SIGTERM");
    await gone;
  });
}

async function listens(port: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const socket = connect(port, "127.0.0.1");
      try {
        await once(socket, "connect");
      } finally {
        socket.destroy();
      }
    },
    { timeout: 20_000, interval: 50 },
  );
}
