import type { Socket } from "node:net";

import { StopSignal } from "@bearhug/sdk";

import {
  markCutOff,
  type Client,
  type ClientModule,
  type ClientParts,
  type GraceOver,
  type VirtualUser,
} from "../../src/clients/client.ts";
import { own } from "../../src/masked-text.ts";
import { connectAsEngine } from "../../src/net/own-sockets.ts";

type Outcome = "answered" | "failed" | "unanswered" | "interrupted";

/** Pings over TCP: connects, writes a line and waits for one. */
class PingClient implements Client {
  readonly #vu: VirtualUser;
  readonly #parts: ClientParts;
  readonly #inFlight = new Map<Socket, (outcome: Outcome) => void>();

  constructor(vu: VirtualUser, parts: ClientParts) {
    this.#vu = vu;
    this.#parts = parts;
  }

  context() {
    return { ping: (port: number) => this.#ping(port) };
  }

  async #ping(port: number): Promise<void> {
    const { clock, load, warmup, startedAtMs } = this.#parts;
    if (this.#vu.isStopped) throw new StopSignal();
    const place = this.#vu.place();
    const ledger = place.isWarmup ? (warmup ?? load) : load;
    const row = ledger.accounting.row(own`ping`, "tcp");
    const calledMs = clock.now();
    const latenessMs = this.#vu.takeLateness() ?? 0;
    this.#vu.onCall();
    row.started();
    const outcome = await this.#exchange(port, () => row.sent());
    const durationMs = clock.now() - calledMs;
    this.#vu.onCallEnded();
    if (outcome === "interrupted") row.interrupted();
    else {
      if (outcome === "unanswered") markCutOff(place);
      if (outcome === "answered") row.succeeded();
      else row.failed();
      const series = place.scope.seriesWith({ name: "ping" });
      series.counter("tcp_pings").add(1);
      series.rate("tcp_ping_failed").add(outcome !== "answered");
      series.trend("tcp_ping_duration").add(durationMs);
      series.trend("tcp_ping_response_time").add(durationMs + latenessMs);
      const told = {
        code: outcome.toUpperCase(),
        cause: null,
        message: own`the ping got no answer`,
        name: "ping",
      };
      if (outcome !== "answered")
        ledger.errors.add({ ...told, firstAtMs: calledMs - startedAtMs(), position: null });
    }
    if (outcome === "unanswered" || outcome === "interrupted") throw new StopSignal();
  }

  async #exchange(port: number, onSent: () => void): Promise<Outcome> {
    const socket = connectAsEngine({ port, host: "127.0.0.1" });
    const outcome = await new Promise<Outcome>((settle) => {
      this.#inFlight.set(socket, settle);
      socket.once("connect", () => socket.write("ping\n", onSent));
      socket.once("data", () => settle("answered"));
      socket.once("error", () => settle("failed"));
    });
    this.#inFlight.delete(socket);
    socket.destroy();
    return outcome;
  }

  interrupt(grace: GraceOver | null): boolean {
    const pending = [...this.#inFlight.values()];
    for (const settle of pending) settle(grace === null ? "interrupted" : "unanswered");
    return grace !== null && pending.length > 0;
  }

  stopWaiting() {
    return false;
  }
  startIteration() {}
  endIteration() {}
  leave() {}
  retire() {}
}

export const client: ClientModule = {
  load: () =>
    Promise.resolve((parts) => ({ withOptions: () => (vu) => new PingClient(vu, parts), close: () => {} })),
};
