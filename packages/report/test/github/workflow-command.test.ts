import { printable } from "@bearhug/text/printable";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { renderAnnotation } from "../../src/github/workflow-command.ts";
import { hostileTexts } from "../hostile-texts.ts";
import { readCommand } from "./runner.ts";

const hostile = hostileTexts.chain((texts) => fc.constantFrom(...texts));

describe("an annotation", () => {
  test("is one line with escaped values", () => {
    const place = { file: "load/a,b:c.ts", line: 3, column: 9 };
    expect(renderAnnotation({ level: "error", title: "50 %", message: "a\nb: 5 %0A", place })).toBe(
      "::error file=load/a%2Cb%3Ac.ts,line=3,col=9,title=50 %25::a\\nb: 5 %250A",
    );
    expect(renderAnnotation({ level: "warning", title: "t", message: "m", place: null })).toBe(
      "::warning title=t::m",
    );
  });

  test("is read back by the runner with the same values, whatever they are", () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (title, message, file) => {
        const line = renderAnnotation({ level: "error", title, message, place: { file, line: 7 } });
        expect(line).not.toMatch(/[\r\n]/);
        expect(readCommand(line)).toEqual({
          command: "error",
          properties: {
            ...(file !== "" && { file }),
            line: "7",
            ...(title !== "" && { title: printable(title) }),
          },
          data: printable(message),
        });
      }),
      { numRuns: 200 },
    );
  });

  test("of very long texts is cut", () => {
    const long = "é".repeat(100_000);
    expect(renderAnnotation({ level: "error", title: long, message: long, place: null }).length).toBeLessThan(
      1300,
    );
  });
});
