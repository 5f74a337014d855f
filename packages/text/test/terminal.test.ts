import { describe, expect, test } from "vitest";
import { createPalette, describeTerminal, sizeOf } from "../src/terminal.ts";

const tty = { isTTY: true, columns: 100 };
const file = {};

describe("colours", () => {
  test.each([
    ["are on in a terminal", tty, {}, true],
    ["are off in a file", file, {}, false],
    ["are off in a dumb terminal", tty, { TERM: "dumb" }, false],
    ["are off in a terminal with NO_COLOR", tty, { NO_COLOR: "1" }, false],
    ["are on in a file with FORCE_COLOR", file, { FORCE_COLOR: "1" }, true],
    ["are off in a terminal with FORCE_COLOR=0", tty, { FORCE_COLOR: "0" }, false],
    ["are off in a terminal with NO_COLOR and FORCE_COLOR", tty, { NO_COLOR: "1", FORCE_COLOR: "1" }, false],
  ])("%s", (_, stream, environment, expected) => {
    expect(describeTerminal(stream, environment).colors).toBe(expected);
  });

  test("do not change the text if the palette is off", () => {
    expect(createPalette(false).bad("no")).toBe("no");
    expect(createPalette(true).bad("no")).toBe("\u001b[31mno\u001b[39m");
  });
});

test.each([
  [{}, true],
  [{ LANG: "en_US.UTF-8" }, true],
  [{ LC_CTYPE: "UTF-8" }, true],
  [{ LANG: "C" }, false],
  [{ LANG: "C.UTF-8", LC_ALL: "POSIX" }, false],
  [{ LANG: "", LC_ALL: "de_DE.utf8" }, true],
  [{ TERM: "linux" }, false],
  [{ TERM: "dumb" }, false],
])("with %j, more than ASCII can be shown: %s", (environment, expected) => {
  expect(describeTerminal(tty, environment).unicode).toBe(expected);
});

test("the width is the terminal's within reason, and 80 elsewhere", () => {
  const widths = [tty, file, { columns: 20 }, { columns: 400 }].map(
    (stream) => describeTerminal(stream, {}).width,
  );
  expect(widths).toEqual([100, 80, 40, 120]);
});

test("a terminal of unknown size, such as that of a container in CI, has colours, but output is not replaced", () => {
  const unknown = { isTTY: true, columns: 0, rows: 0 };
  const size = { width: 80, height: 24 };
  expect(describeTerminal(unknown, {})).toMatchObject({ ...size, colors: true, isLive: false });
  expect(sizeOf(unknown)).toEqual({ columns: 80, rows: 24 });
});
