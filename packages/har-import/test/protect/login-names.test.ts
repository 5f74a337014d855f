import { expect, test } from "vitest";

import { importCapture } from "../../src/index.ts";
import { bytesOf, documentOf, harOf, requestsOf } from "../har-file.ts";

const origin = "https://shop.test";

/** Returns the entries of a login that redirects to a page. */
function loginTo(path: string, fields: Readonly<Record<string, string>>): unknown[] {
  const login = documentOf(`${origin}/login`, {
    pageref: path,
    request: {
      method: "POST",
      headers: [{ name: "Content-Type", value: "application/x-www-form-urlencoded" }],
      postData: {
        mimeType: "application/x-www-form-urlencoded",
        text: new URLSearchParams(fields).toString(),
      },
    },
    response: { status: 302, redirectURL: path },
  });
  return [login, documentOf(origin + path, { pageref: path })];
}

test.each([
  ["/account", { user: "janedoe" }, "/account", "account"],
  ["/users/janedoe", { user: "janedoe" }, "/users/:id", "users/***"],
  ["/users/janedoe/orders", { user: "JaneDoe" }, "/users/:id/orders", "users/***/orders"],
  ["/teams/honey", { user: "janedoe", team_token: "honey" }, "/teams/:id", "teams/honey"],
])(
  "the page after a login (%s, with %j) is described without the user's name",
  async (path, fields, landsOn, name) => {
    const har = harOf([
      documentOf(`${origin}/`, { pageref: "p" }),
      ...loginTo(path, { ...fields, password: "Tr0ub4dor&3" }),
    ]);
    const { model } = await importCapture(() => bytesOf(har));
    expect(requestsOf(model).at(-1)?.landsOn).toBe(landsOn);
    expect(model.steps.at(-1)?.name).toBe(name);
  },
);

test("pages named after different users keep different names", async () => {
  const pages = ["janedoe", "joedoe"].flatMap((user) =>
    loginTo(`/users/${user}`, { user, password: "Tr0ub4dor&3" }),
  );
  const { model } = await importCapture(() => bytesOf(harOf([documentOf(`${origin}/`), ...pages])));
  expect(model.steps.map(({ name }) => name)).toEqual(["home", "users/***", "users/*** 2"]);
});
