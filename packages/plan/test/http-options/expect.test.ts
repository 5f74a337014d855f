import { expect, test } from "vitest";

import { messagesOf } from "../definition/messages-of.ts";

const scenarios = { readers: { executor: "shared-iterations", exec: (): void => undefined } };
const statuses = "http.expect must be a status such as 200, { min, max } or an array of these";

test.for<[unknown, string]>([
  ["200", `${statuses}, but is "200".`],
  [null, `${statuses}, but is null.`],
  [20, "http.expect must be 100 or more, but is 20."],
  [200.5, `${statuses}, but is 200.5.`],
  [[], "http.expect must not be empty."],
  [[200, { min: 300, max: 299 }], "http.expect[1].min must not be above max (299), but is 300."],
  [{ min: 200 }, "http.expect.max must be a number, but is missing."],
])("expect %j: %s", ([given, message]) => {
  expect(messagesOf({ http: { expect: given }, scenarios })).toEqual([message]);
});
