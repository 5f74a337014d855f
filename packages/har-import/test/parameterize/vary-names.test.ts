import { expect, test } from "vitest";
import { makeNamesUnique, noteNames } from "../../src/parameterize/vary-names.ts";
import { importEntries, requestsOf } from "../har-file.ts";
import { type Exchange, sent, toEntry } from "../correlate/visit-in-steps.ts";

const created = { status: 201, json: { id: "n-40017" } };
const note: Exchange = { path: "/api/notes", json: { title: "Buy milk", text: "Soon" }, answer: created };
const user: Exchange = {
  path: "/api/users",
  json: { email: "ann@shop.test", role: "admin" },
  answer: created,
};
const tag: Exchange = {
  path: "/api/tags",
  form: { "tag[name]": "urgent" },
  answer: { status: 302, headers: { location: "/tags/7" } },
};

const hintsOf = async (...exchanges: readonly Exchange[]): Promise<string[]> =>
  requestsOf(noteNames(await importEntries(exchanges.map(toEntry)))).flatMap(({ hints }) => hints);

test.each([
  ["title", [note]],
  ["email", [user]],
  ["tag[name]", [tag, { path: "/tags/7" }]],
])(
  "a request that creates something under a %s says that the site may want another one",
  async (name, exchanges) => {
    const [hint = ""] = await hintsOf(...exchanges);
    expect(hint).toContain(`if the site takes each ${name} only once`);
  },
);

test.each<readonly [string, Exchange]>([
  ["a request that is answered with 200", { ...note, answer: { json: {} } }],
  ["a search", { path: "/search?name=milk", answer: created }],
  ["a name that is a number", { ...note, json: { title: "40017" } }],
  ["a field of another kind", { ...note, json: { text: "Buy milk" } }],
])("%s says nothing of names", async (_what, exchange) => {
  expect(await hintsOf(exchange)).toEqual([]);
});

test("with one number for an iteration, names stay the same wherever they are sent", async () => {
  const search: Exchange = { path: "/search?q=Buy%20milk" };
  const word: Exchange = { path: "/tags/urgent" };
  const exchanges = [note, user, tag, { path: "/tags/7" }, search, word];
  const model = makeNamesUnique(await importEntries(exchanges.map(toEntry)));
  const [made, registered, tagged, searched, shown] = requestsOf(model).map(sent);
  const number = '{fresh {"digits":9}}';
  expect(made).toMatchObject({ title: `Buy milk ${number}`, text: "Soon" });
  expect(registered).toMatchObject({ email: `user+${number}@example.com`, role: "admin" });
  expect(tagged).toMatchObject({ "tag[name]": `urgent-${number}` });
  expect(searched).toMatchObject({ q: `Buy milk ${number}` });
  expect(shown).toMatchObject({ path: `/tags/urgent-${number}` });
});
