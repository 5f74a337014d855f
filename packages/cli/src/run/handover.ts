import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import type { Interruptions } from "./interruptions.ts";
import type { Lead } from "./lead.ts";
import { InvalidInput } from "../invalid-input.ts";
import type { Clock } from "../pacing/clock.ts";

/** The way of setup's data from the first shard to the others. */
export interface Handover {
  /** The place that it comes from, in messages. */
  readonly from: string;
  send(text: string): Promise<void>;
  /** Waits for what the first shard sent; null if the user interrupts. Rejects if it does not come in time. */
  receive(): Promise<string | null>;
}

interface Wait {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly interruptions: Interruptions;
}

/** Through the coordinator, which knows when the first shard will never send anything, and ends the run then. */
export function handoverByLead(lead: Lead, interruptions: Interruptions): Handover {
  return {
    from: "the coordinator",
    send: (text) => {
      lead.sendSetupData(text);
      return Promise.resolve();
    },
    receive: () => Promise.race([lead.awaitSetupData(), interruptions.first.then(() => null)]),
  };
}

const lookEveryMs = 100;

/** In a file that all shards can read. */
export function handoverByFile(file: string, { clock, timeoutMs, interruptions }: Wait): Handover {
  return {
    from: file,
    async send(text) {
      // Whoever waits for the file never sees a part of it. Only its owner may read it: the data may hold credentials.
      const unfinished = `${file}.${randomUUID()}`;
      await writeFile(unfinished, text, { mode: 0o600 });
      await rename(unfinished, file);
    },
    async receive() {
      const untilMs = clock.now() + timeoutMs;
      while (!existsSync(file)) {
        if (interruptions.isInterrupted) return null;
        if (clock.now() > untilMs)
          throw new TypeError(`shard 1 did not write ${file} within ${timeoutMs / 1000} s (setupTimeout)`);
        await new Promise<void>((resolve) => {
          clock.at(clock.now() + lookEveryMs, resolve);
        });
      }
      return readFile(file, "utf8");
    },
  };
}

/**
 * @throws {InvalidInput} for a file that shard 1 must not or cannot write: one that is there before the run is an earlier run's,
 * and other shards would read it
 */
export function refuseUnfitFile(file: string): void {
  if (existsSync(file))
    throw new InvalidInput([
      `--shard-setup ${file}: already exists. Remove it, or name a new file for each run.`,
    ]);
  const folder = dirname(file);
  if (!existsSync(folder))
    throw new InvalidInput([`--shard-setup ${file}: there is no folder ${folder}. Create it first.`]);
}
