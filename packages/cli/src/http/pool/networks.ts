import type { ValidatedHttp } from "@bearhug/sdk/internal";

import { Network, type NetworkDependencies } from "./network.ts";

/** The networks of a worker: scenarios whose options are alike share look-ups, TLS contexts and shared connections. */
export class Networks {
  readonly #dependencies: NetworkDependencies;
  readonly #networks = new Map<string, Network>();
  /** By options that are the same for all virtual users. */
  readonly #known = new Map<ValidatedHttp, Network>();

  constructor(dependencies: NetworkDependencies) {
    this.#dependencies = dependencies;
  }

  /** `index` is that of a virtual user in its scenario: those with different client certificates share nothing. */
  of(given: ValidatedHttp, index = 0): Network {
    const known = this.#known.get(given);
    if (known !== undefined) return known;
    const options = withClient(given, index);
    const key = JSON.stringify(options);
    let network = this.#networks.get(key);
    if (network === undefined) {
      network = new Network(options, this.#dependencies);
      this.#networks.set(key, network);
    }
    if (options === given) this.#known.set(given, network);
    return network;
  }

  /** Closes connections that VUs shared. */
  close(): void {
    for (const network of this.#networks.values()) network.close();
  }
}

function withClient(options: ValidatedHttp, index: number): ValidatedHttp {
  const { tls } = options;
  const client = tls.clients[index % tls.clients.length];
  return client === undefined ? options : { ...options, tls: { ...tls, ...client, clients: [] } };
}
