import { expect, test } from "vitest";
import { type Exchange, toEntry } from "../correlate/visit-in-steps.ts";
import { importEntries, requestsOf } from "../har-file.ts";

const add: Exchange = {
  path: "/roles/add",
  form: { name: "Night shift" },
  response: { status: 302, headers: { location: "/roles/list" } },
};

const hintsOf = async (...exchanges: readonly Exchange[]): Promise<readonly string[]> => {
  const model = await importEntries([{ path: "/" }, ...exchanges].map(toEntry));
  return requestsOf(model).flatMap(({ hints }) =>
    hints.filter((text) => text.startsWith("the id in this path")),
  );
};

const hint =
  "the id in this path is the recorded one: if POST /roles/add created it, extract it from the response";

test("after a form that redirected to a list, the first request with an id has a hint that the id is the recorded one", async () => {
  const edit = { path: "/roles/edit/3" };
  expect(await hintsOf(add, { path: "/roles/list" }, edit, { ...edit, form: { name: "Day" } })).toEqual([
    hint,
  ]);
});

test.each<readonly [string, readonly Exchange[]]>([
  ["an id that was requested before", [{ path: "/roles/edit/3" }, add, { path: "/roles/edit/3" }]],
  ["an id of another resource", [add, { path: "/users/edit/3" }]],
  ["a form that was not accepted", [{ ...add, response: {} }, { path: "/roles/edit/3" }]],
])("%s gets no such hint", async (_what, exchanges) => {
  expect(await hintsOf(...exchanges)).toEqual([]);
});
