import { PassThrough, Writable } from "node:stream";

import { describeTerminal } from "@bearhug/text/terminal";
import { createTextOutput, firstWriteError } from "@bearhug/text/text-output";
import { describe, expect, test, vi } from "vitest";

import { renderSummary } from "../src/terminal/summary.ts";
import { createTerminalReporter } from "../src/terminal/terminal-reporter.ts";
import { Emulator } from "./live/emulator.ts";
import { run } from "./live/live-states.ts";
import { passed } from "./results.ts";
import { snapshotOf } from "./snapshot-of.ts";

/** Allows for the time to load the drawing library. */
const drawing = { timeout: 30_000 };

/** Never ticks, so that frames are drawn only for snapshots. */
const ticker = { now: () => 0, every: () => () => undefined };

const unicode = { LANG: "C.UTF-8" };

function surface(options: { isTTY?: boolean; environment?: Record<string, string> } = {}) {
  const stream = new PassThrough();
  const tty = { isTTY: options.isTTY ?? false, columns: 80 };
  const terminal = describeTerminal(tty, { ...unicode, ...options.environment });
  const size = () => ({ columns: 80, rows: 24 });
  return { stream, terminal, size, text: () => String((stream.read() as Buffer | null) ?? "") };
}

describe("the terminal reporter", () => {
  test("shows a live view on a terminal, prints notes above it, and removes it at the end", async () => {
    const [summary, emulator] = [surface(), new Emulator(80, 30)];
    const terminal = describeTerminal({ isTTY: true, columns: 80, rows: 30 }, { ...unicode, NO_COLOR: "1" });
    const stream = new Writable({
      decodeStrings: false,
      write: (text: string, _encoding, done) => {
        emulator.write(text);
        done();
      },
    });
    const notes = { stream, terminal, size: emulator.size };
    const reporter = createTerminalReporter({ summary, notes, progress: "everywhere", ticker });
    reporter.onStart(run);
    reporter.onInterval(snapshotOf());
    await vi.waitFor(async () => {
      expect(await emulator.lines()).toContainEqual(expect.stringMatching(/^front page/));
    }, drawing);
    reporter.note("SIGINT: ending gracefully");
    reporter.onInterval(snapshotOf({ atMs: 14_000 }));
    const [note, title] = await emulator.lines();
    expect(note).toBe("bearhug: SIGINT: ending gracefully");
    expect(title).toMatch(/^front page .* 14 s of 30 s$/);
    await reporter.onEnd(passed);
    expect(await emulator.lines()).toEqual([note]);
    expect(summary.text()).toBe(renderSummary(passed, summary.terminal));
  });

  test.each([
    ["a terminal", { isTTY: true }],
    ["a file", { isTTY: false }],
  ])("shows no progress on %s if progress is none", (_, options) => {
    const notes = surface(options);
    createTerminalReporter({ summary: surface(), notes, progress: "none", ticker }).onInterval(snapshotOf());
    expect(notes.text()).toBe("");
  });

  test.each([
    ["a file", { isTTY: false }],
    ["a dumb terminal", { isTTY: true, environment: { TERM: "dumb" } }],
  ])("writes a line of progress every 10 s to %s", (_, options) => {
    const notes = surface(options);
    const reporter = createTerminalReporter({ summary: surface(), notes, progress: "everywhere", ticker });
    for (let second = 1; second <= 31; second += 1)
      reporter.onInterval(snapshotOf({ atMs: second * 1000 + 4, requests: second * 100, requestRate: 100 }));
    expect(notes.text()).toBe(
      [10, 20, 30]
        .map(
          (at) =>
            `bearhug: ${at} s${at === 30 ? ", ending" : " of 30 s"}: ${at}00 requests, 100/s, 0 % failed, 50 VUs\n`,
        )
        .join(""),
    );
  });

  test("wraps notes between words on a terminal, never within a path, and not at all in a log", () => {
    const path = `/home/you/${"deep/".repeat(16)}run.ndjson.gz`;
    const note = `an earlier run of front page was killed: bearhug report ${path} shows what it measured until then, and nothing more`;
    const written = (options: Parameters<typeof surface>[0]): string => {
      const notes = surface(options);
      createTerminalReporter({ summary: surface(), notes, progress: "everywhere", ticker }).note(note);
      return notes.text();
    };
    expect(written({ isTTY: true })).toBe(
      [
        "bearhug: an earlier run of front page was killed: bearhug report",
        `         ${path}`,
        "         shows what it measured until then, and nothing more\n",
      ].join("\n"),
    );
    expect(written({ isTTY: false })).toBe(`bearhug: ${note}\n`);
  });

  test("does not buffer lines for a log that does not accept them", () => {
    const stuck = new Writable({ highWaterMark: 10, write: () => {} });
    const notes = { ...surface(), stream: stuck };
    const reporter = createTerminalReporter({ summary: surface(), notes, progress: "everywhere", ticker });
    for (let second = 1; second < 500; second += 1) reporter.onInterval(snapshotOf({ atMs: second * 1000 }));
    expect(stuck.writableLength).toBeLessThan(300);
  });
});

test.each([
  ["front page", "load/front-page.ts", "front page · load/front-page.ts"],
  ["front-page.ts", "load/front-page.ts", "load/front-page.ts"],
  ["front-page.ts", null, "front-page.ts"],
])("the summary names the test %s in %s only once", (name, file, shown) => {
  const result = { ...passed, test: { ...passed.test, name, file } };
  expect(renderSummary(result, surface().terminal).split("\n")).toContain(`  test      ${shown}`);
});

describe("writing to a stream that people read", () => {
  const failing = (code: string) =>
    new Writable({
      write: (_chunk, _encoding, done) => {
        done(Object.assign(new Error(`${code}: write`), { code }));
      },
    });

  test("a reader that has gone is not an error, either immediately or later", async () => {
    const stream = failing("EPIPE");
    const output = createTextOutput(stream);
    await expect(output.write("one")).resolves.toBeUndefined();
    await expect(output.write("two")).resolves.toBeUndefined();
    expect(firstWriteError(stream)).toBeNull();
  });

  test("a closed terminal or an ended parent process is not an error", async () => {
    for (const stream of [Object.assign(failing("EIO"), { isTTY: true }), failing("ECONNRESET")]) {
      await expect(createTextOutput(stream).write("one")).resolves.toBeUndefined();
      expect(firstWriteError(stream)).toBeNull();
    }
  });

  test.each(["ENOSPC", "EIO"])("a disk that fails with %s is an error", async (code) => {
    const stream = failing(code);
    await expect(createTextOutput(stream).write("one")).rejects.toThrow(code);
    expect(firstWriteError(stream)?.message).toContain(code);
  });
});
