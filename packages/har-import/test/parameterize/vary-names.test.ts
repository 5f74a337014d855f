import { expect, test } from "vitest";
import { makeNamesUnique, noteNames } from "../../src/parameterize/created-objects.ts";
import { importEntries, requestsOf } from "../har-file.ts";
import { type Exchange, sent, toEntry } from "../correlate/visit-in-steps.ts";

const created = { status: 201, json: { id: "n-40017" } };
const note: Exchange = { path: "/api/notes", json: { title: "Buy milk", text: "Soon" }, response: created };
const user: Exchange = {
  path: "/api/users",
  json: { email: "ann@shop.test", role: "admin" },
  response: created,
};
const tag: Exchange = {
  path: "/api/tags",
  form: { "tag[name]": "urgent" },
  response: { status: 302, headers: { location: "/tags/7" } },
};

/** A form that redirects to a list, as in Django's admin. */
const role: Exchange = {
  path: "/admin/roles/add/",
  form: { name: "Night shift" },
  response: { status: 302, headers: { location: "/admin/roles/" } },
};

const hintsOf = async (...exchanges: readonly Exchange[]): Promise<string[]> =>
  requestsOf(noteNames(await importEntries(exchanges.map(toEntry)))).flatMap(({ hints }) => hints);

test.each([
  ["title", [note]],
  ["email", [user]],
  ["tag[name]", [tag, { path: "/tags/7" }]],
  ["name", [role]],
])(
  "a request that creates a resource with a %s has a hint that it may have to be unique",
  async (name, exchanges) => {
    const [hint = ""] = await hintsOf(...exchanges);
    expect(hint).toContain(`if the site takes each ${name} only once`);
  },
);

test.each<readonly [string, Exchange]>([
  ["a request with a 200 response", { ...note, response: { json: {} } }],
  ["a search", { path: "/search?name=milk", response: created }],
  ["a name that is a number", { ...note, json: { title: "40017" } }],
  ["a field of another kind", { ...note, json: { text: "Buy milk" } }],
])("%s has no hint about names", async (_what, exchange) => {
  expect(await hintsOf(exchange)).toEqual([]);
});

test("a name with the iteration's number is the same wherever it is sent", async () => {
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

test("a name that is also a word in the site's paths is unchanged, because a changed path would not exist", async () => {
  const project: Exchange = { path: "/admin/projects", json: { name: "admin" }, response: created };
  const list: Exchange = { path: "/api/notes", json: { title: "notes" }, response: created };
  const exchanges = [{ path: "/admin" }, project, { path: "/admin/projects" }, list];
  const model = makeNamesUnique(await importEntries(exchanges.map(toEntry)));
  expect(requestsOf(model).map(sent)).toMatchObject([
    { path: "/admin" },
    { path: "/admin/projects", name: "admin" },
    { path: "/admin/projects" },
    { path: "/api/notes", title: "notes" },
  ]);
});

test("a name that is looked up before it is created is not a word of the site's paths", async () => {
  const free: Exchange = { path: "/api/slugs/milk" };
  const named: Exchange = { path: "/api/notes", json: { slug: "milk" }, response: created };
  const model = makeNamesUnique(await importEntries([free, named].map(toEntry)));
  const name = 'milk-{fresh {"digits":9}}';
  expect(requestsOf(model).map(sent)).toMatchObject([{ path: `/api/slugs/${name}` }, { slug: name }]);
});

test("a new name in an edit is made unique, too, but a name in a search is not", async () => {
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
  response: { status: 302, headers: { location: "/" } },
};
const login: Exchange = { path: "/login", form: { username: "robin.w", password: "Tr0ub4dor&3" } };

test.each<readonly [string, Exchange]>([
  ["a password that is sent twice", signUp],
  ["its path /api/users", { path: "/api/users", json: { username: "robin.w", password: "Tr0ub4dor&3" } }],
])(
  "a sign-up, recognized by %s, has a hint that user names may have to be unique",
  async (_what, exchange) => {
    const [hint = ""] = await hintsOf(exchange);
    expect(hint).toMatch(/if the site takes each username .*only once/);
  },
);

test("an account that a visit creates gets a unique name, which its login uses, too", async () => {
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

test("the example address of a redacted sign-up becomes unique", async () => {
  const redacted = { ...signUp, form: { ...account, address: "user@example.com" } };
  const [made] = requestsOf(makeNamesUnique(await importEntries([redacted].map(toEntry)))).map(sent);
  expect(made).toMatchObject({ address: 'user+{fresh {"digits":9}}@example.com' });
});

test("an account that existed before keeps its name", async () => {
  const model = makeNamesUnique(await importEntries([login, signUp].map(toEntry)));
  const [entered] = requestsOf(model).map(sent);
  expect(entered).toMatchObject({ username: "{SITE_USERNAME}" });
  expect(await hintsOf(login)).toEqual([]);
});
