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

/** Accepted, and led to a list, as in Django's admin. */
const role: Exchange = {
  path: "/admin/roles/add/",
  form: { name: "Night shift" },
  answer: { status: 302, headers: { location: "/admin/roles/" } },
};

const hintsOf = async (...exchanges: readonly Exchange[]): Promise<string[]> =>
  requestsOf(noteNames(await importEntries(exchanges.map(toEntry)))).flatMap(({ hints }) => hints);

test.each([
  ["title", [note]],
  ["email", [user]],
  ["tag[name]", [tag, { path: "/tags/7" }]],
  ["name", [role]],
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

test("a name that is a word of the site's own paths stays as it is: another path leads nowhere", async () => {
  const project: Exchange = { path: "/admin/projects", json: { name: "admin" }, answer: created };
  const list: Exchange = { path: "/api/notes", json: { title: "notes" }, answer: created };
  const exchanges = [{ path: "/admin" }, project, { path: "/admin/projects" }, list];
  const model = makeNamesUnique(await importEntries(exchanges.map(toEntry)));
  expect(requestsOf(model).map(sent)).toMatchObject([
    { path: "/admin" },
    { path: "/admin/projects", name: "admin" },
    { path: "/admin/projects" },
    { path: "/api/notes", title: "notes" },
  ]);
});

test("a name that is asked for before it is given is not one of the site's words", async () => {
  const free: Exchange = { path: "/api/slugs/milk" };
  const named: Exchange = { path: "/api/notes", json: { slug: "milk" }, answer: created };
  const model = makeNamesUnique(await importEntries([free, named].map(toEntry)));
  const name = 'milk-{fresh {"digits":9}}';
  expect(requestsOf(model).map(sent)).toMatchObject([{ path: `/api/slugs/${name}` }, { slug: name }]);
});

test("the other name that an edit gives to what was created differs, too, but not the name in a search", async () => {
  const edit = { ...role, path: "/admin/roles/3/change/", form: { name: "Late shift" } };
  const search: Exchange = { path: "/api/search", json: { name: "Early shift" } };
  const model = makeNamesUnique(await importEntries([role, edit, search].map(toEntry)));
  const [, edited, searched] = requestsOf(model).map(sent);
  expect(edited).toMatchObject({ name: 'Late shift {fresh {"digits":9}}' });
  expect(searched).toMatchObject({ name: "Early shift" });
});

const account = {
  username: "robin.w",
  address: "robin@shop.test",
  password: "Tr0ub4dor&3",
  confirm_password: "Tr0ub4dor&3",
};
const signUp: Exchange = {
  path: "/staff/add",
  form: account,
  answer: { status: 302, headers: { location: "/" } },
};
const login: Exchange = { path: "/login", form: { username: "robin.w", password: "Tr0ub4dor&3" } };

test.each<readonly [string, Exchange]>([
  ["a password that is sent twice", signUp],
  ["its path", { path: "/api/users", json: { username: "robin.w", password: "Tr0ub4dor&3" } }],
])("a sign-up, known by %s, says that each user name may be taken only once", async (_what, exchange) => {
  const [hint = ""] = await hintsOf(exchange);
  expect(hint).toMatch(/if the site takes each username .*only once/);
});

test("an account that a visit makes has a name of its own, also where it logs in", async () => {
  const model = makeNamesUnique(await importEntries([signUp, login].map(toEntry)));
  const name = '{fresh {"digits":9}}-{SITE_USERNAME}';
  const [made, entered] = requestsOf(model).map(sent);
  expect(made).toMatchObject({
    username: name,
    address: '{fresh {"digits":9}}-{EMAIL}',
    password: "{PASSWORD}",
  });
  expect(entered).toMatchObject({ username: name });
});

test("the example address of a redacted sign-up becomes one of the account's own", async () => {
  const redacted = { ...signUp, form: { ...account, address: "user@example.com" } };
  const [made] = requestsOf(makeNamesUnique(await importEntries([redacted].map(toEntry)))).map(sent);
  expect(made).toMatchObject({ address: 'user+{fresh {"digits":9}}@example.com' });
});

test("an account that was there before keeps its name", async () => {
  const model = makeNamesUnique(await importEntries([login, signUp].map(toEntry)));
  const [entered] = requestsOf(model).map(sent);
  expect(entered).toMatchObject({ username: "{SITE_USERNAME}" });
  expect(await hintsOf(login)).toEqual([]);
});
