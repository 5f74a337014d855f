import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { root } from "../../../../tools/workspace.mjs";

/** A Kubernetes control plane on this machine, whose nodes run pods as local processes. */
export class ControlPlane {
  readonly #kit: string;
  readonly #folder: string;

  private constructor(kit: string, folder: string) {
    this.#kit = kit;
    this.#folder = folder;
  }

  /** Starts a control plane. `images` is a file that maps images to entry points on this machine. */
  static start(images: string): ControlPlane {
    const kit = resolve(root, process.env["K8S_KIT"] ?? "../shared/k8s-kit");
    if (!existsSync(join(kit, "start.sh"))) throw new Error(`K8S_KIT: there is no control plane in ${kit}`);
    const folder = mkdtempSync(join(tmpdir(), "bearhug-k8s-"));
    const nodes = ["--nodes", "3", "--node-cpu", "64", "--node-memory", "64Gi", "--images", images];
    const { status, stdout, stderr } = spawnSync(join(kit, "start.sh"), [folder, ...nodes], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`the control plane did not start: ${stdout}${stderr}`);
    return new ControlPlane(kit, folder);
  }

  stop(): void {
    spawnSync(join(this.#kit, "start.sh"), ["--stop", this.#folder]);
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  get environment(): NodeJS.ProcessEnv {
    return { ...process.env, KUBECONFIG: join(this.#folder, "admin.kubeconfig") };
  }

  /** Runs kubectl and returns its standard output. @throws if it fails */
  kubectl(...arguments_: readonly string[]): string {
    const { status, stdout, stderr } = spawnSync("kubectl", arguments_, {
      env: this.environment,
      encoding: "utf8",
      maxBuffer: 2 ** 27,
    });
    if (status !== 0) throw new Error(`kubectl ${arguments_.join(" ")}: ${stderr}`);
    return stdout.trim();
  }

  /** Returns the names and nodes of a run's pods in this phase. */
  pods(
    run: string,
    component: string,
    phase = "Running",
  ): { readonly name: string; readonly node: string }[] {
    const selector = `app.kubernetes.io/instance=${run},app.kubernetes.io/component=${component}`;
    const found = this.kubectl(
      "get",
      "pods",
      "--selector",
      selector,
      "--field-selector",
      `status.phase=${phase}`,
      "--output",
      'jsonpath={range .items[*]}{.metadata.name} {.spec.nodeName}{"\\n"}{end}',
    );
    return found
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [name = "", node = ""] = line.split(" ");
        return { name, node };
      });
  }

  killPod(name: string): Promise<void> {
    return this.#fault(`kill?pod=default/${name}&reason=OOMKilled`);
  }

  loseNode(name: string): Promise<void> {
    return this.#fault(`node?name=${name}&down=true`);
  }

  restoreNode(name: string): Promise<void> {
    return this.#fault(`node?name=${name}&down=false`);
  }

  /** Injects a fault through the simulated kubelet, whose certificate is self-signed. */
  #fault(path: string): Promise<void> {
    const url = `${readFileSync(join(this.#folder, "kubelet-url"), "utf8").trim()}/kit/${path}`;
    return new Promise((resolve, reject) => {
      request(url, { method: "POST", rejectUnauthorized: false }, (response) => {
        response.resume();
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${url}: ${response.statusCode ?? 0}`));
      })
        .on("error", reject)
        .end();
    });
  }
}

/** Waits until a condition holds. @throws after `longestMs` */
export async function until(what: string, holds: () => boolean, longestMs = 120_000): Promise<void> {
  const endMs = Date.now() + longestMs;
  while (!holds()) {
    if (Date.now() > endMs) throw new Error(`${what}: not within ${longestMs / 1000} s`);
    await sleep(500);
  }
}
