import { expect, test } from "vitest";
import { type Exchange, toEntry } from "../correlate/visit-in-steps.ts";
import { importEntries, requestsOf } from "../har-file.ts";

const add: Exchange = {
  path: "/roles/add",
  form: { name: "Night shift" },
  answer: { status: 302, headers: { location: "/roles/list" } },
};

const hintsOf = async (...exchanges: readonly Exchange[]): Promise<readonly string[]> => {
  const model = await importEntries([{ path: "/" }, ...exchanges].map(toEntry));
  return requestsOf(model).flatMap(({ hints }) =>
    hints.filter((text) => text.startsWith("the id in this path")),
  );
};

const hint =
  "the id in this path is the recorded one: if POST /roles/add created it, extract it from the response";

test("the first request for an id behind a form that led to a list says that the id is the recorded one", async () => {
  const edit = { path: "/roles/edit/3" };
  expect(await hintsOf(add, { path: "/roles/list" }, edit, { ...edit, form: { name: "Day" } })).toEqual([
    hint,
  ]);
});

test.each<readonly [string, readonly Exchange[]]>([
  ["an id that was asked for before", [{ path: "/roles/edit/3" }, add, { path: "/roles/edit/3" }]],
  ["an id of something else", [add, { path: "/users/edit/3" }]],
  ["a form that was shown again", [{ ...add, answer: {} }, { path: "/roles/edit/3" }]],
])("%s has no such comment", async (_what, exchanges) => {
  expect(await hintsOf(...exchanges)).toEqual([]);
});
