import { Writable } from "node:stream";

import { expect, test } from "vitest";

import { createTextOutput, bindTextOutput } from "../src/text-output.ts";

function replaceable() {
  const written: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write: (text: string, _, done) => {
      written.push(text);
      done();
    },
  });
  /** Replaces `write`, as loggers and test runners do for a time. */
  const replace = (): string[] => {
    const captured: string[] = [];
    Object.assign(stream, {
      write: (text: string, _: unknown, done: () => void): void => {
        captured.push(text);
        done();
      },
    });
    return captured;
  };
  return { stream, written, replace };
}

test("an output uses the write function that its stream has when the output is created", async () => {
  const { stream, written, replace } = replaceable();
  const first = createTextOutput(stream);
  const captured = replace();
  await first.write("one");
  await createTextOutput(stream).write("two");
  expect([written, captured]).toEqual([["one"], ["two"]]);
});

test("a kept output uses the write function that its stream had then, whatever replaces it later", async () => {
  const { stream, written, replace } = replaceable();
  bindTextOutput(stream);
  const captured = replace();
  await createTextOutput(stream).write("one");
  expect([written, captured]).toEqual([["one"], []]);
});
