import { describe, expect, test } from "vitest";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import { constantVus } from "../../src/executors/constant-vus.ts";
import { TurnKeeper } from "../../src/executors/turn-keeper.ts";
import { FakeClock } from "../pacing/fake-clock.ts";
import { FakeShare } from "./fake-share.ts";

/** Counts the requests for a turn of the event loop. */
class CountingClock extends FakeClock {
  turnsRequested = 0;

  override nextTurn(callback: () => void): void {
    this.turnsRequested++;
    super.nextTurn(callback);
  }
}

describe("the turns of virtual users", () => {
  test("last 5 ms before the next turn is requested, and all wait for that same turn 5 ms later", async () => {
    const clock = new CountingClock(100);
    const turns = new TurnKeeper(clock);
    clock.jump(4.9);
    expect(turns.due()).toBeNull();
    expect(clock.turnsRequested).toBe(0);
    clock.jump(0.1);
    expect(turns.due()).toBeNull();
    expect(clock.turnsRequested).toBe(1);
    clock.jump(4.9);
    expect(turns.due()).toBeNull();
    clock.jump(0.1);
    const first = turns.due();
    expect(first).toBeInstanceOf(Promise);
    clock.jump(50);
    expect(turns.due()).toBe(first);
    expect(clock.turnsRequested).toBe(1);
    await clock.runTo(clock.now());
    await first;
    // The new turn counts from the moment it comes, however late it was.
    clock.jump(4.9);
    expect(turns.due()).toBeNull();
    expect(clock.turnsRequested).toBe(1);
  });

  test("make no VU wait if the event loop turns by itself", async () => {
    const clock = new CountingClock(100);
    const turns = new TurnKeeper(clock);
    for (let turn = 0; turn < 20; turn++) {
      clock.jump(3);
      expect(turns.due()).toBeNull();
      await clock.runTo(clock.now());
    }
    expect(clock.turnsRequested).toBe(10);
  });

  test("are shared by 2,000 VUs with empty iterations: a timer fires after at most two turns", async () => {
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
      fired = { turns: clock.turnsRequested, made };
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
    // No iteration starts once the time is over.
    expect(made).toBe(fired!.made);
  });
});
