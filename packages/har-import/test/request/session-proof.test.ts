import { expect, test } from "vitest";
import type { Proof } from "../../src/capture-model.ts";
import { documentOf, entryOf, importEntries, requestsOf } from "../har-file.ts";

const site = "https://shop.test";
const session = "q8Zt4LxV0bN7sKe2Hd9RmY3u";

interface Login {
  readonly url?: string;
  /** Cookies that its answer sets, then those of the page to which it redirects, if it does. */
  readonly cookies: readonly (readonly string[])[];
}

/** What shows that a login was accepted. */
async function sessionsOf({ url = `${site}/login`, cookies: [first = [], second] }: Login): Promise<Proof[]> {
  const set = (lines: readonly string[]) => lines.map((value) => ({ name: "Set-Cookie", value }));
  const postData = { mimeType: "application/x-www-form-urlencoded", text: "user=ann&password=sesame-1961" };
  const redirect = second === undefined ? {} : { status: 302, redirectURL: "/account" };
  const entries = [
    documentOf(`${site}/`),
    entryOf(url, {
      request: { method: "POST", postData },
      response: { headers: [...set(first), { name: "Location", value: "/account" }], ...redirect },
    }),
    ...(second === undefined ? [] : [documentOf(`${site}/account`, { response: { headers: set(second) } })]),
  ];
  const model = await importEntries(entries);
  return requestsOf(model)
    .flatMap(({ proofs }) => proofs)
    .filter(({ kind }) => kind === "session");
}

function proofOf(cookie: string, url: string): Proof {
  return { kind: "session", cookie, url, isReplaced: false };
}

test("a login is shown by the cookie that is left at the end of its redirects, not by a ticket", async () => {
  const sid = `sid=${session}; Path=/`;
  const ticket = ["login_ticket=T7bN2sKe9Hd; Path=/", "login_ticket=; Path=/; Max-Age=0"] as const;
  const expected = [proofOf("sid", `${site}/`)];
  expect(await sessionsOf({ cookies: [[ticket[0], sid], [ticket[1]]] })).toEqual(expected);
  expect(await sessionsOf({ cookies: [[ticket[0]], [ticket[1], sid]] })).toEqual(expected);
  expect(await sessionsOf({ cookies: [[ticket[0]], [ticket[1]]] })).toEqual([]);
});

test("a cookie whose path begins with two slashes is one of the same host", async () => {
  const cookies = [[`sid=${session}; Path=//`]];
  expect(await sessionsOf({ cookies })).toEqual([proofOf("sid", `${site}//`)]);
});

test("a cookie whose path has a secret is not named: the check would tell it", async () => {
  const cookies = [[`sid=${session}`]];
  const url = `${site}/invite/8f3aK2mQ9xZ7pL4w/accept`;
  expect(await sessionsOf({ url, cookies })).toEqual([]);
  expect(await sessionsOf({ url: `${site}/user/login`, cookies })).toEqual([proofOf("sid", `${site}/user/`)]);
});

test("the user and password of an address are no part of where a cookie is sent", async () => {
  const url = "https://ann:sesame-1961@api.shop.test/login";
  expect(await sessionsOf({ url, cookies: [[`sid=${session}`]] })).toEqual([
    proofOf("sid", "https://api.shop.test/"),
  ]);
});
