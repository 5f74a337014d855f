import type { Socket } from "node:net";

import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { systemClock } from "@bearhug/plan/pacing/clock";
import { randomSource } from "@bearhug/plan/pacing/random-source";
import { expect, onTestFinished } from "vitest";

import { eventually } from "../../../cli/test/eventually.ts";
import { negotiations } from "../../src/pool/network.ts";
import type { DialSettings } from "../../src/net/dial-settings.ts";
import { Dialer } from "../../src/net/dialer.ts";
import { Opening } from "../../src/net/opening.ts";
import type { OpeningConnection } from "../../src/net/opening-connection.ts";
import type { Origin } from "../../src/net/origin.ts";
import { SharedReader } from "../../src/net/shared-reader.ts";
import type { TlsSessions } from "../../src/net/tls-sessions.ts";

export interface Opened {
  readonly error: (Error & { readonly code?: string }) | null;
  readonly socket: Socket | null;
  readonly opening: OpeningConnection;
  /** The duration of the whole opening, by the dialer's clock. */
  readonly elapsedMs: number;
  /** Resolves with the first bytes that came. */
  readonly firstBytes: () => Promise<string>;
}

/** The memory that connections read into, if the dialer can choose. */
export type Reads = "shared" | "own";

export interface TestDialer {
  readonly dialer: Dialer;
  readonly opened: () => number;
  readonly closed: () => number;
  /** Opens a connection, and waits until it is open or has failed. */
  readonly open: (url: string, sessions?: TlsSessions) => Promise<Opened>;
  /** Begins to open a connection; its outcome is added to `ends`. */
  readonly begin: (url: string, ends: Opened[]) => OpeningConnection;
}

function originOf(address: string): Origin {
  const url = new URL(address);
  const isSecure = url.protocol === "https:";
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  return {
    isSecure,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port,
    text: url.origin,
    pool: url.origin,
  };
}

/** Keeps the first bytes that come. */
class ListeningReader extends SharedReader {
  readonly first: Promise<string> = new Promise((resolve) => {
    this.receiver = {
      onBytes: (bytes) => {
        resolve(bytes.toString("latin1"));
      },
    };
  });
}

/** Starts a dialer like a worker's; its connections are closed when the test has ended. */
export function startDialer({
  protocol = defaultHttp.protocol,
  reads = "shared",
  ...settings
}: Partial<DialSettings & Pick<ValidatedHttp, "protocol"> & { readonly reads: Reads }> = {}): TestDialer {
  let [opened, closed] = [0, 0];
  const dialer = new Dialer(
    { ...defaultHttp, ...negotiations[protocol], ...settings },
    { clock: systemClock, random: randomSource(1, 1), onOpen: () => opened++, onClose: () => closed++ },
  );
  const openings: OpeningConnection[] = [];
  onTestFinished(() => {
    for (const opening of openings) {
      opening.cancel();
      opening.raw?.destroy();
    }
  });
  const start = (
    url: string,
    sessions: TlsSessions | null,
    ended: (opened: Opened) => void,
  ): OpeningConnection => {
    const reader = reads === "shared" ? new ListeningReader() : null;
    const startedAt = systemClock.now();
    const opening = new Opening(dialer, originOf(url), { sessions, reader }, (error, socket) => {
      const elapsedMs = systemClock.now() - startedAt;
      const firstBytes = async (): Promise<string> =>
        opening.isShared && reader !== null
          ? await reader.first
          : String(await new Promise((resolve) => socket?.once("data", resolve)));
      ended({ error, socket, opening, elapsedMs, firstBytes });
    });
    openings.push(opening);
    return opening;
  };
  const open: TestDialer["open"] = async (url, sessions) =>
    await new Promise((resolve) => {
      start(url, sessions ?? null, resolve);
    });
  const begin: TestDialer["begin"] = (url, ends) =>
    start(url, null, (opened) => {
      ends.push(opened);
    });
  return { dialer, opened: () => opened, closed: () => closed, open, begin };
}

/** Expects that the phases of an opening do not overlap. */
export function expectPartsOfWhole({ opening, elapsedMs }: Opened): void {
  const { lookingUp, connecting, tlsHandshaking } = opening.phases;
  expect(lookingUp + connecting + tlsHandshaking).toBeLessThanOrEqual(elapsedMs + 0.001);
}

/** Lists the open connections and DNS queries of this process, including the servers' ends. */
function openResources(): readonly string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => /^(TCPSocket|TCPConnect|TLS|PipeConnect|GetAddrInfo|Query)/.test(name));
}

/** Waits until no connection is open, at either end. */
export async function expectNothingOpen(): Promise<void> {
  await eventually(() => {
    expect(openResources()).toEqual([]);
  });
}
