import { every } from "@bearhug/plan/pacing/clock";
import { describeTerminal } from "@bearhug/text/terminal";
import { expect, test, vi } from "vitest";

import { LiveView } from "../../src/terminal/live/live-view.ts";
import { FakeClock } from "../../../plan/test/pacing/fake-clock.ts";
import { snapshotOf } from "../snapshot-of.ts";
import { Emulator } from "./emulator.ts";
import { run } from "./live-states.ts";

/** Allows for the time to load the drawing library. */
const drawing = { timeout: 30_000 };

/** Creates a view on an emulated terminal with a fake clock. */
function startView(columns = 80, rows = 30) {
  const clock = new FakeClock();
  const emulator = new Emulator(columns, rows);
  const view = new LiveView({
    ticker: { now: () => clock.now(), every: (periodMs, callback) => every(clock, periodMs, callback) },
    terminal: () => describeTerminal({ ...emulator.size(), isTTY: true }, { NO_COLOR: "1", LANG: "C.UTF-8" }),
    size: emulator.size,
    output: emulator,
    write: emulator.write,
  });
  return { clock, emulator, view };
}

/** Starts such a view and waits until it is drawn. */
async function startShown(columns?: number, rows?: number) {
  const started = startView(columns, rows);
  started.view.start(run);
  started.view.add(snapshotOf());
  await vi.waitFor(async () => {
    expect(await started.emulator.lines()).toContainEqual(expect.stringMatching(/^front page/));
  }, drawing);
  return started;
}

test("a view stays in place while log lines scroll above it, and only these remain when it is closed", async () => {
  const { view, emulator } = await startShown();
  const before = await emulator.lines();
  view.write("first line of the test\n");
  view.add(snapshotOf({ atMs: 13_004, requestRate: 200 }));
  view.write(`a path that is longer than the terminal: ${"/deep".repeat(20)}\n`);
  const [first, second, third, title, ...others] = await emulator.lines();
  expect([first, `${second}${third}`]).toEqual([
    "first line of the test",
    `a path that is longer than the terminal: ${"/deep".repeat(20)}`,
  ]);
  expect(title).toMatch(/^front page .* 13 s of 30 s$/);
  expect(others).toHaveLength(before.length - 1);
  expect(emulator.isCursorHidden).toBe(false);
  view.close();
  expect(await emulator.lines()).toEqual([first, second, third]);
});

test("a hundred log lines are all printed in order, with one view below", async () => {
  const { view, emulator } = await startShown(80, 24);
  for (let line = 1; line <= 100; line++) view.write(`line ${line}\n`);
  const lines = await emulator.lines();
  expect(lines.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, index) => `line ${index + 1}`));
  expect(lines.filter((line) => line.startsWith("front page"))).toHaveLength(1);
});

test.each([
  [120, 60],
  [100, 70],
  [60, 110],
])(
  "a terminal resized from %i to %i columns has one view, drawn for its new width",
  async (before, after) => {
    const { view, emulator } = await startShown(before);
    view.write("before\n");
    await emulator.resize(after, 30);
    view.write("after\n");
    const [first, second, ...others] = await emulator.lines();
    expect([first, second]).toEqual(["before", "after"]);
    const fresh = await startShown(after);
    expect(others).toEqual(await fresh.emulator.lines());
  },
);

test("a terminal with fewer lines gets a view that fits", async () => {
  const { view, emulator } = await startShown(80, 30);
  await emulator.resize(80, 6);
  view.write("a line\n");
  const shown = (await emulator.lines()).slice(-5);
  expect(shown.filter((line) => line.includes("browse"))).toHaveLength(1);
});

test("unchanged content is not drawn again, and a run that ends immediately draws nothing", async () => {
  const { clock, view, emulator } = await startShown();
  const { writes } = emulator;
  await clock.runTo(900);
  expect(emulator.writes - writes).toBeGreaterThan(0);
  expect(emulator.writes - writes).toBeLessThan(4);
  view.close();

  const short = startView();
  short.view.start(run);
  await short.clock.runTo(300);
  short.view.close();
  await short.clock.runTo(5000);
  expect(await short.emulator.lines()).toEqual([]);
  expect(short.clock.armed).toBe(0);
});

test("the plan is shown before the first second is over", async () => {
  const { clock, view, emulator } = startView();
  view.start(run);
  await vi.waitFor(async () => {
    await clock.runTo(clock.now() + 200);
    expect(await emulator.lines()).toContainEqual(expect.stringMatching(/browse +50 iterations\/s for 30 s/));
  }, drawing);
  view.close();
  expect(await emulator.lines()).toEqual([]);
});
