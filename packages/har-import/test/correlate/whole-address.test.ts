import { describe, expect, test } from "vitest";

import { importEntries, requestsOf } from "../har-file.ts";
import { requestsFrom, sent, toEntry, token } from "./visit-in-steps.ts";

const page = { path: "/" };
const signed = `/files/contract.pdf?X-Expires=1789&X-Signature=${token}&user=a%20b`;

describe("an address that a response supplies is extracted as a whole", () => {
  test("with its signature and times, without variables for its parts", async () => {
    const [, docs, file] = await requestsFrom(
      page,
      { path: "/api/docs/3", response: { json: { name: "a", downloadUrl: signed } } },
      { path: signed },
    );
    expect(docs?.extractions).toEqual([{ name: "downloadUrl", from: { json: "downloadUrl" } }]);
    expect(file?.address).toEqual([{ kind: "extracted", name: "downloadUrl" }]);
    expect(sent(file)).toEqual({
      path: "/files/contract.pdf",
      "X-Expires": "{downloadUrl}",
      "X-Signature": "{downloadUrl}",
      user: "{downloadUrl}",
    });
  });

  test("with its origin, even if it is an image", async () => {
    const picture = `https://shop.example/files/thumb.svg?X-Signature=${token}`;
    const [, docs, image] = await requestsFrom(
      page,
      { path: "/api/docs/3", response: { json: { thumb: picture } } },
      { path: picture },
    );
    expect(docs?.extractions).toEqual([{ name: "thumb", from: { json: "thumb" } }]);
    expect(image?.address).toEqual([{ kind: "extracted", name: "thumb" }]);
  });

  test("from the Location header of a created resource", async () => {
    const [, made, read] = await requestsFrom(
      page,
      {
        path: "/api/jobs",
        json: { n: 1 },
        response: { status: 202, headers: { location: "/jobs?ticket=7a" } },
      },
      { path: "/jobs?ticket=7a" },
    );
    expect(made?.extractions).toEqual([{ name: "location", from: { header: "location" } }]);
    expect(read?.address).toEqual([{ kind: "extracted", name: "location" }]);
  });

  test("from a list, if no user could have typed it", async () => {
    const others = `/files/b.pdf?sig=${token}1`;
    const [list, first] = await requestsFrom(
      { path: "/api/docs", response: { json: [{ href: others }, { href: `/files/a.pdf?sig=${token}` }] } },
      { path: `/files/a.pdf?sig=${token}` },
    );
    expect(list?.extractions.map(({ from }) => from)).toEqual([{ json: "[1].href" }]);
    expect(first?.address).toHaveLength(1);
  });

  test("and gets an origin in front if another host supplied it without one", async () => {
    const [page1, , file] = requestsOf(
      await importEntries([
        toEntry({ path: "/" }, 0),
        toEntry({ path: "https://api.shop.example/docs", response: { json: { url: signed } } }, 1),
        toEntry({ path: `https://api.shop.example${signed}` }, 2),
      ]),
    );
    expect(page1?.address).toBeUndefined();
    expect(file?.address).toEqual([
      { kind: "text", text: "https://api.shop.example" },
      { kind: "extracted", name: "url" },
    ]);
  });
});

describe("an address is requested as recorded", () => {
  test.for(["/products/5", "/products/red-shoes", "/logo.svg?v=3f2a9c1e7b8d4f60a1b2c3d4"])(
    "if it is readable: %s",
    async (path) => {
      const [first, second] = await requestsFrom({ path: "/", response: { json: { link: path } } }, { path });
      expect(first?.extractions).toEqual([]);
      expect(second?.address).toBeUndefined();
    },
  );

  test("if it was requested before the response arrived", async () => {
    const path = "/list?page=2";
    const requests = await requestsFrom(
      page,
      { path },
      { path: "/list", response: { json: { next: path } } },
      { path },
    );
    expect(requests.map(({ address }) => address)).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("if the user chose it from a list", async () => {
    const [, second] = await requestsFrom(
      { path: "/", response: { json: [{ href: "/a?page=1" }, { href: "/a?page=2" }] } },
      { path: "/a?page=2" },
    );
    expect(second?.address).toBeUndefined();
  });
});

test("the file name before a session id in a path is sent as recorded", async () => {
  const [, list, detail] = await requestsFrom(
    { path: "/", response: { html: `<a href="/list.do;jsessionid=${token}?view=all">list</a>` } },
    { path: `/list.do;jsessionid=${token}?view=all` },
    { path: `/detail.do;jsessionid=${token}` },
  );
  expect(sent(list)).toMatchObject({ path: "/list.do;jsessionid={jsessionid}" });
  expect(sent(detail)).toMatchObject({ path: "/detail.do;jsessionid={jsessionid}" });
});
