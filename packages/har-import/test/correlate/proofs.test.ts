import { expect, test } from "vitest";
import type { Proof } from "../../src/capture-model.ts";
import { documentOf, entryOf, importEntries, requestsOf } from "../har-file.ts";

/** Returns the proofs of a POST, or another request, with this response. */
async function proofsOf(
  text: string,
  mimeType = "application/json",
  method = "POST",
): Promise<readonly Proof[] | undefined> {
  const model = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/do", {
      request: { method },
      response: { content: { size: text.length, mimeType, text } },
    }),
  ]);
  return requestsOf(model).at(-1)?.proofs;
}

const line = '{"took":3,"error":null}\n';

test.each([
  ["application/json", [{ kind: "no errors" }]],
  ["application/x-ndjson", []],
  ["application/jsonl; charset=utf-8", []],
  ["application/stream+json", []],
])("a response with one JSON value of type %s gives the proofs %j", async (mimeType, expected) => {
  expect(await proofsOf(line, mimeType)).toEqual(expected);
});

test.each([
  ["ok", true],
  ["Success", false],
  ["success", 1],
  ["success", "1"],
  ["success", "true"],
  ["code", "SUCCESS"],
  ["response_code", "00"],
  ["isSuccess", true],
  ["code", 0],
  ["code", 200],
  ["errno", 0],
  ["error_code", "0"],
  ["resultCode", "0000"],
  ["ret", 0],
  ["type", "success"],
  ["status", "OK"],
  ["status", "succeeded"],
  ["status", 200],
  ["result", "success"],
  ["hasErrors", false],
  ["loggedIn", true],
])("a field %s: %j states the outcome", async (name, value) => {
  const proofs = await proofsOf(JSON.stringify({ [name]: value, id: 7 }));
  expect(proofs).toEqual([{ kind: "field", name, value }, { kind: "no errors" }]);
});

test.each([
  ["success", 12],
  ["success", "Saved as 7"],
  ["code", "SUMMER24"],
  ["code", 4711],
  ["status", 0],
  ["status", "draft"],
  ["zip_code", 0],
  ["result", null],
  ["result", "win"],
  ["hasErrors", true],
  ["authenticated", false],
])("a field %s: %j may differ from run to run", async (name, value) => {
  expect(await proofsOf(JSON.stringify({ [name]: value }))).toEqual([{ kind: "no errors" }]);
});

test.each([
  [{ status: true }, true],
  [{ status: true, message: "Saved", id: 7 }, true],
  [{ status: true, data: null }, true],
  // This may be a switch.
  [{ status: true, id: 7 }, false],
  [{ status: false, message: "Saved" }, false],
])("%j states success by its status: %s", async (document, isStated) => {
  const proofs = await proofsOf(JSON.stringify(document));
  const stated = isStated ? [{ kind: "field", name: "status", value: true }] : [];
  expect(proofs).toEqual([...stated, { kind: "no errors" }]);
});

test.each([
  [{ verified: true }, true],
  [{ isValid: true, message: "" }, true],
  [{ verified: true, id: 7 }, false],
  [{ verified: false }, false],
])("%j states success by its only field: %s", async (document, isStated) => {
  const proofs = await proofsOf(JSON.stringify(document));
  const [name] = Object.keys(document);
  const stated = isStated ? [{ kind: "field", name, value: true }] : [];
  expect(proofs).toEqual([...stated, { kind: "no errors" }]);
});

test.each([
  [{ result: true }, true],
  [{ result: true, msg: "Saved" }, true],
  [{ result: true, id: 7 }, false],
  [{ result: false }, false],
])("%j states success by its result: %s", async (document, isStated) => {
  const proofs = await proofsOf(JSON.stringify(document));
  const stated = isStated ? [{ kind: "field", name: "result", value: true }] : [];
  expect(proofs).toEqual([...stated, { kind: "no errors" }]);
});

test.each([
  [{ customerCreate: { customer: null, customerUserErrors: [] }, note: null }, true],
  [{ customerCreate: { customerUserErrors: [], userErrors: null } }, true],
  [{ cartLinesAdd: { userErrors: [{ message: "sold out" }] } }, false],
  [{ a: { userErrors: [] }, b: { mediaUserErrors: [{ code: "INVALID" }] } }, false],
  [{ create: { errors: [{ field: "name", message: "taken" }] } }, false],
  [{ create: { __typename: "NameTakenError", message: "taken" } }, false],
  // Lists of other names, and in other places, may be what the user asked for.
  [{ job: { errors: ["line 7"] }, superusErErrors: ["a"] }, true],
  [[{ userErrors: ["a"] }], true],
])("GraphQL data %j reports no errors: %s", async (data, hasProof) => {
  expect(await proofsOf(JSON.stringify({ data }))).toEqual(hasProof ? [{ kind: "no errors" }] : []);
});

test.each([
  [{ ok: true, items: [] }, [{ kind: "field", name: "ok", value: true }]],
  [{ code: 0, msg: "", data: null }, [{ kind: "field", name: "code", value: 0 }]],
  [{ status: 200, message: "OK" }, [{ kind: "field", name: "status", value: 200 }]],
  [{ data: { me: null }, extensions: {} }, [{ kind: "no errors" }]],
  [{ status: "success", data: [] }, [{ kind: "field", name: "status", value: "success" }]],
  [{ status: true, data: [] }, [{ kind: "field", name: "status", value: true }]],
  [{ isAuthenticated: true, user: {} }, [{ kind: "field", name: "isAuthenticated", value: true }]],
  [{ logged_in: false }, []],
  [{ hasErrors: false, items: [] }, [{ kind: "field", name: "hasErrors", value: false }]],
  [{ data: [], error: null, total: 7 }, [{ kind: "no errors" }]],
  [{ data: [], errors: [], meta: {} }, [{ kind: "no errors" }]],
  // What data says about itself may differ from run to run.
  [{ status: true, id: 7 }, []],
  [{ status: "SUCCESS", result: 7 }, []],
  [{ success: false }, []],
  [{ status: "success", type: "ok" }, []],
  [{ error: null, id: 7 }, []],
  [{ data: { me: null }, total: 7 }, []],
  [{ data: null, errors: [{ message: "no" }] }, []],
  [[{ ok: true }], []],
])("a response to a GET with %j gives the proofs %j", async (document, expected) => {
  expect(await proofsOf(JSON.stringify(document), "application/json", "GET")).toEqual(expected);
});

test.each([
  [[], "\0\0\0\0\0\x80\0\0\0\x10grpc-status: 0\r\n", [{ kind: "grpc status", code: 0 }]],
  [[{ name: "grpc-status", value: "5" }], "", [{ kind: "grpc status", code: 5 }]],
  // The body was not recorded.
  [[], undefined, [{ kind: "type", type: "other" }]],
])(
  "a gRPC-Web response with the headers %j and the body %j gives the proofs %j",
  async (more, text, expected) => {
    const type = "application/grpc-web+proto";
    const headers = [{ name: "content-type", value: type }, ...more];
    const model = await importEntries([
      documentOf("https://shop.test/"),
      entryOf("https://shop.test/shop.Cart/Add", {
        request: { method: "POST", headers: [{ name: "content-type", value: type }] },
        response: { headers, content: { size: 22, mimeType: type, text } },
      }),
    ]);
    expect(requestsOf(model).at(-1)?.proofs).toEqual(expected);
  },
);

/** Returns the proofs of a POST of this form that responded with a page. */
async function proofsOfForm(fields: string, html: string, location?: string, page = "/login") {
  const content = { size: html.length, mimeType: "text/html", text: html };
  const redirect = { status: 302, redirectURL: location };
  const model = await importEntries([
    documentOf("https://shop.test/"),
    entryOf("https://shop.test/login", {
      request: {
        method: "POST",
        headers: [{ name: "referer", value: `https://shop.test${page}` }],
        postData: { mimeType: "application/x-www-form-urlencoded", text: fields },
      },
      response: location === undefined ? { content } : redirect,
    }),
    ...(location === undefined
      ? []
      : [documentOf(`https://shop.test${location}`, { response: { content } })]),
  ]);
  return requestsOf(model).at(-1)?.proofs;
}

const login = "csrf=q8Zt4LxV0bN7&user=ann&password=sesame-1961";
const form = '<form><input name="user"><input type="password" name="password"></form>';

test("a page without the form that logged in shows that the login was accepted", async () => {
  expect(await proofsOfForm(login, "<p>Hello</p>")).toEqual([{ kind: "no field", name: "password" }]);
});

test.each([
  ["title=Milk&text=Two+pints", "<p>Saved</p>", ["title"]],
  ["title=Milk&text=Two+pints", '<input name="title"><p>Saved</p>', ["text"]],
  // The form to write another one.
  ["title=Milk", '<p>Saved</p><input name="title">', []],
  // The rows of a table may have such fields, …
  ["csrf=q8Zt4LxV0bN7&qty=2&item_id=AB", "<p>Saved</p>", []],
  // … and this field is not in a page of the capture.
  ["note=Milk", "<p>Saved</p>", []],
])("a form %s whose response is the page %s must not show the fields %j again", async (text, html, gone) => {
  const type = { name: "content-type", value: "text/html" };
  const accept = { name: "accept", value: "text/html,*/*;q=0.8" };
  const showing = (page: string) => ({
    headers: [type],
    content: { size: page.length, mimeType: "text/html", text: page },
  });
  const fields = ["title", "text", "csrf", "qty", "item_id"].map((name) => `<input name="${name}">`).join("");
  const postData = { mimeType: "application/x-www-form-urlencoded", text };
  const model = await importEntries([
    documentOf("https://shop.test/notes", { response: showing(`<form>${fields}</form>`) }),
    entryOf("https://shop.test/notes", {
      startedDateTime: "2026-01-01T00:00:02.000Z",
      request: { method: "POST", headers: [accept], postData },
      response: showing(html),
    }),
  ]);
  const proofs = requestsOf(model).at(-1)?.proofs ?? [];
  expect(proofs.flatMap((proof) => (proof.kind === "no field" ? [proof.name] : []))).toEqual(gone);
});

test("a login that redirects to the page of its form may show the form there again", async () => {
  expect(await proofsOfForm(login, "<p>Hello</p>", "/", "/")).toEqual([
    { kind: "no field", name: "password" },
  ]);
});

test("the last page for members shows that the session is not lost", async () => {
  const startedAt = (second: number) => ({ startedDateTime: `2026-01-01T00:00:0${second}.000Z` });
  const showing = (text: string) => ({ content: { size: text.length, mimeType: "text/html", text } });
  const model = await importEntries([
    documentOf("https://shop.test/login", { ...startedAt(0), response: showing(form) }),
    entryOf("https://shop.test/login", {
      ...startedAt(2),
      request: {
        method: "POST",
        postData: { mimeType: "application/x-www-form-urlencoded", text: login },
      },
      response: showing("<p>Hello</p>"),
    }),
    documentOf("https://shop.test/orders", { ...startedAt(4), response: showing("<p>Orders</p>") }),
    documentOf("https://shop.test/account", { ...startedAt(6), response: showing("<p>Account</p>") }),
  ]);
  const gone = { kind: "no field", name: "password" };
  expect(requestsOf(model).map(({ proofs }) => proofs)).toEqual([[], [gone], [], [gone]]);
});

test.each([
  ["a page that still has the form", login, form],
  ["a form without a password", "user=ann&title=Milk", "<p>Saved</p>"],
  ["a response that is no page", login, "Hello"],
  ["a redirect, whose path is checked", login, "<p>Hello</p>", "/account"],
])("%s has no field to check", async (_what, fields, html, location?: string) => {
  expect(await proofsOfForm(fields, html, location)).toEqual([]);
});
