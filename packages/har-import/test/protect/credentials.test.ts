import { expect, test } from "vitest";

import { importCapture } from "../../src/index.ts";
import { bytesOf, documentOf, entryOf, harOf, pageOf, requestsOf } from "../har-file.ts";

const origin = "https://shop.test";
const random = "k3Jx9Qm2Zt7Lw4Vb8Ny1Rc6Hd5";

type RequestFields = Readonly<Record<string, unknown>>;

/** Returns by name whether each variable of a capture is "needed" or "optional". */
async function variablesOf(path: string, request: RequestFields = {}): Promise<Record<string, string>> {
  const entries = [
    documentOf(`${origin}/`, { pageref: "p" }),
    entryOf(origin + path, { _resourceType: "xhr", request }),
  ];
  const { model } = await importCapture(() => bytesOf(harOf(entries, [pageOf("p", { title: "Shop" })])));
  return Object.fromEntries(
    model.variables.map(({ name, isOptional }) => [name, isOptional ? "optional" : "needed"]),
  );
}

function form(text: string): RequestFields {
  return { method: "POST", postData: { mimeType: "application/x-www-form-urlencoded", text } };
}

test.each<[string, string, RequestFields, Record<string, string>]>([
  [
    "a login",
    "/login",
    form("user=jane&password=Tr0ub4dor%263"),
    { SITE_USER: "needed", PASSWORD: "needed" },
  ],
  [
    "a login whose user name is the password",
    "/login",
    form("login_name=admin&login_password=admin"),
    { LOGIN_NAME: "needed", LOGIN_PASSWORD: "needed" },
  ],
  [
    "a login of ASP.NET or JavaServer Faces",
    "/login",
    form("ctl00%24Main%24UserName=jane&login%3Apassword=Tr0ub4dor%263"),
    { CTL_MAIN_USER_NAME: "needed", LOGIN_PASSWORD: "needed" },
  ],
  [
    "an authorization",
    "/a",
    { headers: [{ name: "Authorization", value: "Bearer abc-1" }] },
    { API_TOKEN: "needed" },
  ],
  ["an API key", `/a?api_key=${random}`, {}, { API_KEY: "needed" }],
  ["a card number", "/pay", form("number=4111111111111111"), { NUMBER: "needed" }],
  ["a value that only looks like a key", `/a?v=${random}`, {}, { V: "optional" }],
  ["a CSRF token", "/a", form(`csrf_token=${random}`), { CSRF_TOKEN: "optional" }],
  [
    "a cookie that the browser had, even one of a session",
    "/a",
    { cookies: [{ name: "session_token", value: random }] },
    { COOKIE_SESSION_TOKEN: "optional" },
  ],
  [
    "a cookie that is an authorization, too",
    "/a",
    {
      cookies: [{ name: "jwt", value: random }],
      headers: [{ name: "Authorization", value: `Bearer ${random}` }],
    },
    { COOKIE_JWT: "needed" },
  ],
])("variables are marked as needed or optional for %s", async (_what, path, request, expected) => {
  expect(await variablesOf(path, request)).toEqual(expected);
});

test("required variables come first, and the recorded value of each is reported", async () => {
  const request = {
    method: "POST",
    headers: [{ name: "x-seen", value: random }],
    postData: { mimeType: "application/x-www-form-urlencoded", text: "user=Jane&password=Tr0ub4dor%263" },
  };
  const entries = [documentOf(`${origin}/`, { pageref: "p" }), entryOf(`${origin}/login`, { request })];
  const { model, recordedValues } = await importCapture(() => bytesOf(harOf(entries, [pageOf("p")])));
  expect(model.variables.map(({ name }) => name)).toEqual(["SITE_USER", "PASSWORD", "SEEN"]);
  expect(recordedValues).toEqual({ SEEN: random, SITE_USER: "Jane", PASSWORD: "Tr0ub4dor&3" });
  expect(JSON.stringify(model)).not.toContain(random);
});

test("a user name that is sent again without the password becomes the same variable", async () => {
  const edited = form("username=robin.w&phone=5");
  const entries = [
    documentOf(`${origin}/`, { pageref: "p" }),
    entryOf(`${origin}/users`, { request: form("username=robin.w&password=Tr0ub4dor%263") }),
    entryOf(`${origin}/users/edit`, { request: edited }),
  ];
  const { model } = await importCapture(() => bytesOf(harOf(entries, [pageOf("p")])));
  const names = requestsOf(model)
    .flatMap(({ body }) => (body?.kind === "form" ? body.fields : []))
    .filter(({ name }) => name === "username");
  expect(names.map(({ value }) => value)).toEqual([
    [{ kind: "variable", name: "SITE_USERNAME" }],
    [{ kind: "variable", name: "SITE_USERNAME" }],
  ]);
  expect(JSON.stringify(model)).not.toContain("robin.w");
});
