import { once } from "node:events";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";

import { onTestFinished } from "vitest";

export interface FullServer {
  readonly url: string;
  readonly host: string;
  /** Lets the server accept the waiting connections, and all later ones. */
  readonly acceptAll: () => void;
}

/** A backlog of 1 holds two: Linux checks whether there are more than that (`sk_acceptq_is_full`). */
const held = 2;

/**
 * Starts a server whose queue of connections to accept is full: Linux drops the SYN of the next client, whose
 * system sends it again a second later. Nothing else delays TCP on loopback. Stopped when the test has ended.
 */
export async function startFullServer(address = "127.0.0.1"): Promise<FullServer> {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL("./fixtures/busy-server.ts", import.meta.url), {
    workerData: { gate, address },
  });
  const [port] = (await once(worker, "message")) as [number];
  const fillers = Array.from({ length: held }, () => connect({ host: address, port }));
  const acceptAll = (): void => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  };
  onTestFinished(async () => {
    for (const filler of fillers) filler.destroy();
    acceptAll();
    await worker.terminate();
  });
  await Promise.all(fillers.map((filler) => once(filler, "connect")));
  const host = `${address.includes(":") ? `[${address}]` : address}:${port}`;
  return { url: `http://${host}`, host, acceptAll };
}
