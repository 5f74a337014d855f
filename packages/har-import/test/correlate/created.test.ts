import { createReadStream } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CapturedRequest, importCapture } from "../../src/index.ts";
import { requestsOf } from "../har-file.ts";
import { type Exchange, requestsFrom, sent } from "./visit-in-steps.ts";

async function requestsOfFile(name: string): Promise<CapturedRequest[]> {
  const file = join(import.meta.dirname, "../fixtures/field", name);
  const { model } = await importCapture(() => createReadStream(file));
  return requestsOf(model);
}

const page = { path: "/" };
const pathsOf = (requests: readonly CapturedRequest[]) => requests.map((one) => sent(one)["path"]);

/** Creates an album, then requests it by a word in its path. */
interface Album {
  readonly first: Exchange;
  readonly sends?: unknown;
  readonly gets: unknown;
  readonly word?: string;
}

describe("the id of a created resource is extracted", () => {
  test("without the session id that a server appends to it", async () => {
    const requests = await requestsOfFile("jsessionid.har");
    expect(pathsOf(requests)).toEqual(["/owners/new", "/owners/new", "/owners/{ownerId}/pets/new"]);
    expect(requests[1]?.extractions).toEqual([{ name: "ownerId", from: { segment: -1 } }]);
  });

  test("and sent in a link that also contains the session id", async () => {
    const id = "0A1B2C3D4E5F60718293A4B5C6D7E8F9";
    const location = `/owners/11;jsessionid=${id}`;
    const headers = { location, "set-cookie": `JSESSIONID=${id}; Path=/` };
    const [, made, edit] = await requestsFrom(
      page,
      { path: "/owners/new", form: { n: "1" }, response: { status: 302, headers } },
      { path: location },
      { path: `${location}/edit` },
    );
    expect(made?.extractions).toEqual([{ name: "ownerId", from: { segment: -1 } }]);
    expect(sent(edit)).toMatchObject({ path: "/owners/{ownerId};jsessionid={JSESSIONID}/edit" });
  });

  test.for(["7295", "12"])("from the query of the page that shows it: %s", async (id) => {
    const location = `view.php?action=view&id=${id}`;
    const [, made, remove, like, other] = await requestsFrom(
      page,
      { path: "/new.php", form: { n: "1" }, response: { status: 302, headers: { location } } },
      { path: `/${location}` },
      { path: `/delete.php?id=${id}` },
      { path: "/like.php", form: { id } },
      { path: `/pages.php?page=${id}` },
    );
    expect(made?.extractions).toEqual([{ name: "id", from: { query: "id" } }]);
    expect(sent(remove)).toMatchObject({ id: "{id}" });
    expect(sent(like)).toMatchObject({ id: "{id}" });
    expect(sent(other)).toMatchObject({ page: id });
  });

  test("under other names, also if it is a short number: in paths and fields for ids", async () => {
    const [, made, item, publish, like, other] = await requestsFrom(
      page,
      { path: "/api/posts", json: { n: "a" }, response: { status: 201, json: { id: 42 } } },
      { path: "/api/posts/42" },
      { path: "/api/publish/42", method: "PUT" },
      { path: "/api/like", json: { targetId: 42, width: 42 } },
      { path: "/api/list?size=42" },
    );
    expect(made?.extractions).toEqual([{ name: "postId", from: { json: "id" } }]);
    expect(sent(item)).toEqual({ path: "/api/posts/{postId}" });
    expect(sent(publish)).toEqual({ path: "/api/publish/{postId}" });
    expect(sent(like)).toMatchObject({ targetId: "{postId}", width: "42" });
    expect(sent(other)).toMatchObject({ size: "42" });
  });

  test("but not the id in an address that the form itself had", async () => {
    const requests = await requestsFrom(
      page,
      { path: "/view.php?id=7295" },
      {
        path: "/edit.php?id=7295",
        form: { n: "1" },
        response: { status: 302, headers: { location: "/view.php?id=7295" } },
      },
      { path: "/view.php?id=7295" },
      { path: "/view.php?id=7295" },
    );
    expect(requests.flatMap(({ extractions }) => extractions)).toEqual([]);
  });
});

test("an id is found after a word in the same path segment", async () => {
  const [, document, get, level] = await requestsOfFile("mubu.har");
  expect(pathsOf([document, get].flatMap((one) => one ?? []))).toEqual(["/doc{docId}", "/api/document/get"]);
  expect(sent(get)).toMatchObject({ docId: "{docId}" });
  expect(level === undefined ? null : sent(level)).toMatchObject({ document_id: "{docId}" });
});

test.each(["item2024", "page12", "x40017abc"])(
  "a segment such as %s that contains a value by chance is not an id",
  async (segment) => {
    const requests = await requestsFrom(
      page,
      {
        path: "/api/notes",
        json: { n: 1 },
        response: { status: 201, json: { year: "2024", nr: 12, id: "abc" } },
      },
      { path: `/${segment}` },
    );
    expect(requests.flatMap(({ extractions }) => extractions)).toEqual([]);
  },
);

describe("the name that a server assigns to a created resource is extracted", () => {
  test("from a name field, even without a digit", async () => {
    const requests = await requestsOfFile("201-location.har");
    expect(pathsOf(requests)).toEqual([
      "/api/contents",
      "/api/contents/{contentId}",
      "/api/contents/{contentId}",
    ]);
    expect(requests[0]?.extractions).toEqual([{ name: "contentId", from: { json: "name" } }]);
  });

  test.for([
    ["/api/posts", 201, "/api/posts/my-first-post"],
    ["/posts", 302, "/posts/my-first-post"],
    ["/posts/new", 302, "/posts/my-first-post/"],
  ] as const)("from the location to which POST %s led (%i %s)", async ([path, status, location]) => {
    const requests = await requestsFrom(
      page,
      { path, form: { n: "1" }, response: { status, headers: { location } } },
      { path: location },
      { path: "/posts/my-first-post/edit" },
    );
    expect(requests[1]?.extractions).toEqual([{ name: "postId", from: { segment: -1 } }]);
    expect(sent(requests.at(-1))).toMatchObject({ path: "/posts/{postId}/edit" });
    expect(requests.at(-1)?.name).toBe("GET /posts/:id/edit");
    expect(requests[1]?.name).toBe(status === 302 ? `POST ${path}` : null);
  });

  test("and replaced wherever it is a whole value", async () => {
    const [, made, , tag] = await requestsFrom(
      page,
      {
        path: "/api/notes",
        json: { n: 1 },
        response: { status: 201, json: { slug: "my-note", title: "My note" } },
      },
      { path: "/api/notes/my-note" },
      { path: "/api/tags", json: { note: "my-note", text: "my-note!" } },
    );
    expect(made?.extractions.map(({ from }) => from)).toEqual([{ json: "slug" }]);
    expect(sent(tag)).toMatchObject({ note: "{slug}", text: "my-note!" });
  });

  test.for([
    [98_765_432, "{id}"],
    [4711, "4711"],
  ] as const)(
    "from a field called only `id`, as in GraphQL, if the number is long: %i",
    async ([id, expected]) => {
      const requests = await requestsFrom(
        page,
        { path: "/graphql", json: { query: "mutation {}" }, response: { json: { data: { made: { id } } } } },
        { path: "/graphql", json: { query: "{}", id } },
      );
      expect(String(sent(requests.at(-1))["id"])).toMatch(
        expected === "{id}" ? /^\{\w+\}$/ : new RegExp(`^${expected}$`),
      );
    },
  );

  test("from the end of the resource's own link", async () => {
    const self = "https://shop.example/api/albums/holiday-pictures";
    const [, made, album] = await requestsFrom(
      page,
      {
        path: "/api/albums",
        json: { n: 1 },
        response: { status: 201, json: { _links: { self: { href: self } } } },
      },
      { path: "/api/albums/holiday-pictures" },
    );
    expect(made?.extractions.map(({ from }) => Object.keys(from))).toEqual([["between"]]);
    expect(sent(album)["path"]).toMatch(/^\/api\/albums\/\{\w+\}$/);
  });

  const holiday = { name: "holiday" };
  test.for<readonly [string, Album]>([
    ["a word that the browser sent itself", { first: page, sends: holiday, gets: holiday }],
    [
      "a word that an earlier page contained",
      { first: { path: "/", response: { html: "<b>holiday</b>" } }, gets: holiday },
    ],
    ["a status word", { first: page, gets: { name: "published" }, word: "published" }],
    ["a role name", { first: page, gets: { name: "Administrator" }, word: "Administrator" }],
    ["a title", { first: page, gets: { title: "holiday" } }],
    ["one of several", { first: page, gets: [holiday, { name: "work" }] }],
  ])("but not %s", async ([, { first, sends = {}, gets, word = "holiday" }]) => {
    const requests = await requestsFrom(
      first,
      { path: "/api/albums", json: sends, response: { status: 201, json: gets } },
      { path: `/api/albums/${word}` },
    );
    expect(requests.flatMap(({ extractions }) => extractions)).toEqual([]);
  });

  test("but not a page to which a login redirected", async () => {
    const requests = await requestsFrom(
      page,
      {
        path: "/account/login",
        form: { user: "ann" },
        response: { status: 302, headers: { location: "/account/home" } },
      },
      { path: "/account/home" },
      { path: "/account/home/news" },
    );
    expect(requests.flatMap(({ extractions }) => extractions)).toEqual([]);
  });
});

test.each([
  ["/issue", "/issue42", "POST /issue"],
  ["/posts", "/posts/my-first-post", "POST /posts"],
  ["/posts", "/posts/42", null],
  ["/posts", "/posts", null],
  ["/posts", "/done", null],
])("POST %s, redirected to %s, is named %s together with its redirects", async (path, location, name) => {
  const requests = await requestsFrom(
    page,
    { path, form: { title: "My first post" }, response: { status: 302, headers: { location } } },
    { path: location },
  );
  expect(requests[1]?.name).toBe(name);
});

test("the name of a request contains no secret from its path", async () => {
  const path = "/invite/kq8Jd72hLpQ0zXv5Tn3M/posts";
  const [, made] = await requestsFrom(
    page,
    { path, form: { n: "1" }, response: { status: 302, headers: { location: "/posts/post42" } } },
    { path: "/posts/post42" },
  );
  expect(made?.name).toBe("POST /invite/:id/posts");
});
