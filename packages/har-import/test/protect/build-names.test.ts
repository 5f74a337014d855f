import { expect, test } from "vitest";
import { importField, sourceOfField } from "../field-capture.ts";
import { documentOf, entryOf, importEntries, requestsOf, shownValue } from "../har-file.ts";

test.each([
  ["pp_man", "/manifest.4ta3m8i3.webmanifest"],
  ["pp_j200", "/_framework/App.Web.4ta3m8i3vq.json"],
])("%s: a file with a hash in its name is requested by that name", async (name, path) => {
  expect((await importField(name)).model.variables).toEqual([]);
  expect(await sourceOfField(name)).toContain(`"${path}"`);
});

test("a file with a key in its name is requested with a variable", async () => {
  const model = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/exports/orders.q8Zt4LxV0bN7sKe2Hd9RmY3u.json", { _resourceType: "xhr" }),
  ]);
  expect(model.variables).toHaveLength(1);
});

const tree = encodeURIComponent(
  '["",{"children":["notes",{"children":["__PAGE__",{},null,null]},null,null]}]',
);
const action = "40b1c9d2f4a87e3c5560718293a4b5c6d7e8f90a1b";

async function importActions() {
  const post = (headers: Readonly<Record<string, string>>) =>
    entryOf("https://shop.test/notes", {
      _resourceType: "fetch",
      request: {
        method: "POST",
        headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
        postData: { mimeType: "text/plain;charset=UTF-8", text: "[]" },
      },
    });
  return await importEntries([
    documentOf("https://shop.test/"),
    post({ "Next-Action": action, "next-router-state-tree": tree }),
    post({
      "Next-Action": action.replace("40", "60"),
      "X-Inertia-Version": "6b6c9f1de2a3b4c5d6e7f8091a2b3c4d",
    }),
  ]);
}

test("a header value from a build is sent as recorded, with a comment at its first use", async () => {
  const model = await importActions();
  expect(model.variables).toEqual([]);
  const [, first, second] = requestsOf(model);
  expect(first?.headers.filter(({ name }) => /next/i.test(name)).map(shownValue)).toEqual([action, tree]);
  expect(first?.hints).toEqual([
    expect.stringMatching(/^the header next-action changes with each build/),
    expect.stringMatching(/^the header next-router-state-tree changes with each build/),
  ]);
  expect(second?.hints).toEqual([
    expect.stringMatching(/^the header x-inertia-version changes with each build/),
  ]);
});

test("a secret key in such a header is still a secret", async () => {
  const model = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/notes", {
      request: {
        headers: [{ name: "next-action", value: ["sk_live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_") }],
      },
    }),
  ]);
  expect(model.variables).toHaveLength(1);
});

test("an action's id that is also in its form is sent as recorded", async () => {
  const fields = { "$ACTION_1:0": JSON.stringify({ id: action, bound: "$@1" }), title: "Milk" };
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input name="${name}" value="${value.replaceAll('"', "&quot;")}">`,
  );
  const boundary = "----WebKitFormBoundaryA1";
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="_1_${name}"\r\n\r\n${value}\r\n`,
  );
  const model = await importEntries([
    documentOf("https://shop.test/", {
      response: { content: { mimeType: "text/html", text: inputs.join("") } },
    }),
    entryOf("https://shop.test/notes", {
      _resourceType: "fetch",
      request: {
        method: "POST",
        headers: [{ name: "Next-Action", value: action }],
        postData: {
          mimeType: `multipart/form-data; boundary=${boundary}`,
          text: `${parts.join("")}--${boundary}--\r\n`,
        },
      },
    }),
  ]);
  expect(model.variables).toEqual([]);
  const [, post] = requestsOf(model);
  expect(post?.headers.filter(({ name }) => /next/i.test(name)).map(shownValue)).toEqual([action]);
});
