import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

import { InvalidInput } from "@bearhug/sdk";

/** The cluster that the user's kubectl is to speak to; null for what its configuration says. */
export interface Cluster {
  readonly context: string | null;
  readonly namespace: string | null;
}

/** kubectl could not do as it was asked. */
export class KubectlFailed extends InvalidInput {
  readonly stderr: string;
  constructor(arguments_: readonly string[], stderr: string) {
    const said = stderr
      .trim()
      .split("\n")
      // Its log, and remarks, are about how it got there.
      .filter((line) => !/^([IWEF]\d{4} |Warning:|WARNING:)/.test(line));
    const verb = arguments_.slice(0, 2).join(" ");
    super([`kubectl ${verb} failed: ${said.join(" ") || "it gave no reason"}`]);
    this.stderr = stderr;
  }
}

/** The user's own kubectl: contexts, credentials and proxies are its business. */
export class Kubectl {
  readonly #cluster: readonly string[];

  constructor({ context, namespace }: Cluster) {
    this.#cluster = [
      ...(context === null ? [] : ["--context", context]),
      ...(namespace === null ? [] : ["--namespace", namespace]),
    ];
  }

  /** The standard output of a kubectl that was given this input. @throws {KubectlFailed} */
  async run(arguments_: readonly string[], input = ""): Promise<string> {
    const child = this.#spawn(arguments_);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on("data", (bytes: Buffer) => out.push(bytes));
    child.stderr?.on("data", (bytes: Buffer) => err.push(bytes));
    // It may refuse before it has read everything.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    const code = await closeOf(child);
    if (code !== 0) throw new KubectlFailed(arguments_, Buffer.concat(err).toString("utf8"));
    return Buffer.concat(out).toString("utf8");
  }

  /** The objects that kubectl reads, parsed. @throws {KubectlFailed} */
  async get(...arguments_: readonly string[]): Promise<unknown> {
    return JSON.parse(await this.run(["get", ...arguments_, "--output", "json"]));
  }

  /** Follows a log until it ends or `signal` aborts. A log that breaks off is no error: its pod tells why. */
  async follow(
    arguments_: readonly string[],
    signal: AbortSignal,
    onLine: (line: string) => void,
  ): Promise<void> {
    const child = this.#spawn(["logs", "--follow", ...arguments_]);
    const stop = (): void => {
      child.kill();
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    child.stdin?.end();
    child.stderr?.resume();
    if (child.stdout !== null) createInterface({ input: child.stdout }).on("line", onLine);
    await closeOf(child);
    signal.removeEventListener("abort", stop);
  }

  #spawn(arguments_: readonly string[]): ChildProcess {
    // In a group of its own: Ctrl+C is bearhug's to answer.
    return spawn("kubectl", [...arguments_, ...this.#cluster], { detached: true });
  }
}

/** Resolves to the exit code of a process once its output is read; null if a signal ended it. */
function closeOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on("close", resolve);
    child.on("error", (cause) => {
      const isMissing = "code" in cause && cause.code === "ENOENT";
      reject(isMissing ? new InvalidInput([missing], { cause }) : cause);
    });
  });
}

const missing =
  "kubectl was not found. Install it, and make sure that it reaches your cluster: kubectl get nodes";
