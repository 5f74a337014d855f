import { expect, test } from "vitest";

import {
  packRecord,
  readFromAgent,
  readFromCoordinator,
  unpackRecord,
} from "../../../src/cluster/wire/messages.ts";

test("messages are read as they were written", () => {
  const state = { type: "state", isReady: true, isLoadOver: false };
  expect(readFromAgent(JSON.stringify(state))).toEqual(state);
  const applied = { type: "applied", records: 3 };
  expect(readFromCoordinator(JSON.stringify(applied))).toEqual(applied);
});

test.for([
  ["no JSON", "{"],
  ["another type", `{"type":"nothing"}`],
  ["a field is missing", `{"type":"state","isReady":true}`],
  ["a message of the other side", `{"type":"goodbye"}`],
] as const)("refuses %s", ([, text]) => {
  expect(() => readFromAgent(text)).toThrow(
    "an agent sent a message that this version of bearhug does not know",
  );
});

test("records keep their number and their bytes", () => {
  const record = { number: 70_000, member: Buffer.from([1, 2, 3]) };
  expect(unpackRecord(packRecord(record))).toEqual(record);
});

test.for([0, 3, 4])("a frame of %d bytes is no record", (length) => {
  expect(() => unpackRecord(Buffer.alloc(length))).toThrow("an agent sent a record that is cut short");
});
