import { expect, test } from "vitest";

import {
  packRecord,
  readFromAgent,
  readFromCoordinator,
  unpackRecord,
} from "../../../src/cluster/wire/messages.ts";

test("valid messages of agents and coordinators are read unchanged", () => {
  const state = { type: "state", isReady: true, isLoadOver: false };
  expect(readFromAgent(JSON.stringify(state))).toEqual(state);
  const applied = { type: "applied", records: 3 };
  expect(readFromCoordinator(JSON.stringify(applied))).toEqual(applied);
});

test.for([
  ["text that is not JSON", "{"],
  ["an unknown type", `{"type":"nothing"}`],
  ["a missing field", `{"type":"state","isReady":true}`],
  ["a message that only coordinators send", `{"type":"goodbye"}`],
] as const)("the coordinator refuses %s", ([, text]) => {
  expect(() => readFromAgent(text)).toThrow(
    "an agent sent a message that this version of bearhug does not know",
  );
});

test("records keep their number and their bytes", () => {
  const record = { number: 70_000, member: Buffer.from([1, 2, 3]) };
  expect(unpackRecord(packRecord(record))).toEqual(record);
});

test.for([0, 3, 4])("a frame of %d bytes is refused as a record", (length) => {
  expect(() => unpackRecord(Buffer.alloc(length))).toThrow("an agent sent a record that is cut short");
});
