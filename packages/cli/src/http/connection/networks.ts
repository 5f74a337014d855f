import type { ValidatedHttp } from "@bearhug/sdk";

import { Network, type NetworkDependencies } from "./network.ts";

/** The networks of a worker: scenarios whose options are alike share look-ups, TLS contexts and shared connections. */
export class Networks {
  readonly #dependencies: NetworkDependencies;
  readonly #networks = new Map<string, Network>();

  constructor(dependencies: NetworkDependencies) {
    this.#dependencies = dependencies;
  }

  of(options: ValidatedHttp): Network {
    const key = JSON.stringify(options);
    let network = this.#networks.get(key);
    if (network === undefined) {
      network = new Network(options, this.#dependencies);
      this.#networks.set(key, network);
    }
    return network;
  }

  /** Closes connections that VUs shared. */
  close(): void {
    for (const network of this.#networks.values()) network.close();
  }
}
