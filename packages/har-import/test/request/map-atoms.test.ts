import { expect, test } from "vitest";
import { mapAtoms, mapRequests } from "../../src/map-atoms.ts";
import { textValue } from "../../src/value.ts";
import { atomOf, modelOf, requestOf, stepOf } from "../source/model-of.ts";

const first = requestOf("/a", { headers: [atomOf("x", "1")] });
const second = requestOf("/b", { query: [atomOf("q", "2")] });
const model = modelOf([stepOf([[first], [second]]), stepOf([[first]])]);

test("a model in which nothing changes is not copied", () => {
  expect(mapAtoms(model, ({ value }) => value).steps).toBe(model.steps);
  expect(mapRequests(model, (request) => request).steps).toBe(model.steps);
});

test("changed parts are copied, and unchanged parts beside them are the same objects", () => {
  const changed = mapAtoms(model, ({ name, value }) => (name === "q" ? textValue("3") : value));
  const [step, other] = changed.steps;
  expect(other).toBe(model.steps[1]);
  expect(step?.waves[0]).toBe(model.steps[0]?.waves[0]);
  expect(step?.waves[1]?.requests[0]).toEqual({
    ...second,
    query: [{ name: "q", value: textValue("3"), written: null }],
  });
  expect(model.steps[0]?.waves[1]?.requests[0]).toBe(second);
});
