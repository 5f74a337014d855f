import { fork } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

import { command } from "../command.ts";
import { endOfOutput, type CommandEnd, type CommandLine, type Ended } from "./command-line.ts";

/** Processes that wait for a command line. Each takes 150 MB; they end with the process of the tests. */
const idle: KeptProcess[] = [];
const mostIdle = 4;
/**
 * How long to keep more than `mostIdle`: when many run at once, the next ones mostly follow within this time.
 */
const surplusMs = 2000;

/** Runs a command line in a process that may have run others before. */
export async function runKept(
  line: Omit<CommandLine, "id" | "program">,
  signal: AbortSignal,
): Promise<Ended> {
  const kept = idle.pop() ?? new KeptProcess();
  const ended = await kept.run(line, signal);
  if (kept.isAtRest) idle.push(kept);
  else kept.end();
  if (idle.length > mostIdle) setTimeout(endSurplus, surplusMs).unref();
  return ended;
}

/** Ends the surplus processes, those unused for longest first. */
function endSurplus(): void {
  while (idle.length > mostIdle) idle.shift()?.end();
}

class KeptProcess {
  readonly #child = fork(fileURLToPath(new URL("host.ts", import.meta.url)), {
    // Libraries remember the folder in which they were loaded.
    cwd: tmpdir(),
    // Node caches the code of functions that are compiled with their module. Those compiled when first called, it
    // would compile again in each thread of each run: a sixth of its CPU time.
    execArgv: ["--no-lazy"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  readonly #closed = once(this.#child, "close");
  #id = 0;
  #isAtRest = false;

  constructor() {
    this.#child.unref();
    this.#child.channel?.unref();
    for (const stream of [this.#child.stdout, this.#child.stderr])
      if (stream instanceof Socket) stream.unref();
  }

  get isAtRest(): boolean {
    return this.#isAtRest;
  }

  end(): void {
    this.#child.kill("SIGKILL");
  }

  /** Runs a command line. If it ends the process, that is its end, too. */
  async run(line: Omit<CommandLine, "id" | "program">, signal: AbortSignal): Promise<Ended> {
    this.#id += 1;
    const mark = endOfOutput(this.#id);
    const end = (): void => {
      this.end();
    };
    signal.addEventListener("abort", end);
    const outputs = [this.#child.stdout, this.#child.stderr].map((stream) => readUntil(mark, stream));
    const answered = once(this.#child, "message") as Promise<[CommandEnd]>;
    this.#child.send({ ...line, id: this.#id, program: command } satisfies CommandLine);
    const ended = await Promise.race([answered.then(([answer]) => answer), this.#closed.then(() => null)]);
    const [stdout = "", stderr = ""] = await Promise.all(outputs);
    signal.removeEventListener("abort", end);
    this.#isAtRest = ended?.isAtRest === true;
    return { exitCode: ended === null ? this.#child.exitCode : ended.exitCode, stdout, stderr };
  }
}

/** Reads a stream to the mark, or to its end. */
async function readUntil(mark: string, stream: Readable | null): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const take = (chunk: string): void => {
      text += chunk;
      if (text.includes(mark)) finish();
    };
    const finish = (): void => {
      stream?.off("data", take).off("close", finish);
      resolve(text.split(mark)[0] ?? "");
    };
    stream?.setEncoding("utf8").on("data", take).on("close", finish);
  });
}
