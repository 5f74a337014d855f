import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

import { InvalidInput } from "@bearhug/sdk";

/** The cluster that kubectl connects to; null for the default of the user's configuration. */
export interface Cluster {
  readonly context: string | null;
  readonly namespace: string | null;
}

/** A kubectl command failed. */
export class KubectlFailed extends InvalidInput {
  readonly stderr: string;
  constructor(arguments_: readonly string[], stderr: string) {
    const reasons = stderr
      .trim()
      .split("\n")
      // Log lines and warnings do not state the reason.
      .filter((line) => !/^([IWEF]\d{4} |Warning:|WARNING:)/.test(line));
    const verb = arguments_.slice(0, 2).join(" ");
    super([`kubectl ${verb} failed: ${reasons.join(" ") || "it gave no reason"}`]);
    this.stderr = stderr;
  }
}

/** Runs the user's own kubectl, which handles contexts, credentials and proxies. */
export class Kubectl {
  readonly #cluster: readonly string[];

  constructor({ context, namespace }: Cluster) {
    this.#cluster = [
      ...(context === null ? [] : ["--context", context]),
      ...(namespace === null ? [] : ["--namespace", namespace]),
    ];
  }

  /** Runs kubectl with this input. Resolves to its standard output. @throws {KubectlFailed} */
  async run(arguments_: readonly string[], input = ""): Promise<string> {
    const child = this.#spawn(arguments_);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on("data", (bytes: Buffer) => out.push(bytes));
    child.stderr?.on("data", (bytes: Buffer) => err.push(bytes));
    // kubectl may exit before it has read all input.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
    const code = await closeOf(child);
    if (code !== 0) throw new KubectlFailed(arguments_, Buffer.concat(err).toString("utf8"));
    return Buffer.concat(out).toString("utf8");
  }

  /** Runs `kubectl get` and parses the objects. @throws {KubectlFailed} */
  async get(...arguments_: readonly string[]): Promise<unknown> {
    return JSON.parse(await this.run(["get", ...arguments_, "--output", "json"]));
  }

  /**
   * Follows a log until it ends or `signal` aborts. A log that breaks off is not an error: the status of its
   * pod explains it.
   */
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
    // A separate process group, so that Ctrl+C reaches bearhug alone.
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
