import { defaultHttp } from "@bearhug/sdk/internal";
import { describe, expect, test } from "vitest";

import { constantVus } from "../../src/executors/constant-vus.ts";
import { TurnKeeper } from "../../src/executors/turn-keeper.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { FakeShare } from "./fake-share.ts";

/** Counts how often somebody asked for a turn of the event loop. */
class CountingClock extends FakeClock {
  turnsAsked = 0;

  override nextTurn(callback: () => void): void {
    this.turnsAsked++;
    super.nextTurn(callback);
  }
}

describe("the turns of virtual users", () => {
  test("go on for 5 ms, ask for the next one, and wait for it after 5 ms more, all for the same", async () => {
    const clock = new CountingClock(100);
    const turns = new TurnKeeper(clock);
    clock.jump(4.9);
    expect(turns.due()).toBeNull();
    expect(clock.turnsAsked).toBe(0);
    clock.jump(0.1);
    expect(turns.due()).toBeNull();
    expect(clock.turnsAsked).toBe(1);
    clock.jump(4.9);
    expect(turns.due()).toBeNull();
    clock.jump(0.1);
    const first = turns.due();
    expect(first).toBeInstanceOf(Promise);
    clock.jump(50);
    expect(turns.due()).toBe(first);
    expect(clock.turnsAsked).toBe(1);
    await clock.runTo(clock.now());
    await first;
    // A new turn begins when it comes, however long it took to come.
    clock.jump(4.9);
    expect(turns.due()).toBeNull();
    expect(clock.turnsAsked).toBe(1);
  });

  test("are nobody's wait where the loop turns by itself", async () => {
    const clock = new CountingClock(100);
    const turns = new TurnKeeper(clock);
    for (let turn = 0; turn < 20; turn++) {
      clock.jump(3);
      expect(turns.due()).toBeNull();
      await clock.runTo(clock.now());
    }
    expect(clock.turnsAsked).toBe(10);
  });

  test("are one for 2,000 of them whose iterations are empty: a timer fires after a few", async () => {
    const vus = 2000;
    const clock = new CountingClock();
    let made = 0;
    const share = new FakeShare(clock, {
      iterationMs: () => {
        made++;
        clock.jump(0.01);
        return 0;
      },
    });
    let fired: { turns: number; made: number } | null = null;
    clock.at(10, () => {
      fired = { turns: clock.turnsAsked, made };
      share.end();
    });
    const ended = constantVus.run(
      {
        executor: "constant-vus",
        name: "readers",
        startTimeMs: 0,
        gracefulStopMs: 30_000,
        expectsNoRequests: false,
        tags: {},
        env: {},
        http: defaultHttp,
        durationMs: 10_000,
        vus,
      },
      share,
    );
    await clock.runTo(1000);
    expect(fired).not.toBeNull();
    expect(fired!.turns).toBeLessThanOrEqual(2);
    expect(fired!.made).toBeLessThanOrEqual(2 * vus);
    share.end();
    await ended;
    // None is started once it is over.
    expect(made).toBe(fired!.made);
  });
});
