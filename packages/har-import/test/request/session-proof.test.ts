import { expect, test } from "vitest";
import type { Proof } from "../../src/capture-model.ts";
import { documentOf, entryOf, importEntries, requestsOf } from "../har-file.ts";

const site = "https://shop.test";
const session = "q8Zt4LxV0bN7sKe2Hd9RmY3u";

interface Login {
  readonly url?: string;
  /** The cookies that the response sets, then those of the page to which it redirects, if any. */
  readonly cookies: readonly (readonly string[])[];
}

/** Returns the session proofs of an imported login. */
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

test("the proof of a login is the cookie that remains after its redirects, not a temporary ticket", async () => {
  const sid = `sid=${session}; Path=/`;
  const ticket = ["login_ticket=T7bN2sKe9Hd; Path=/", "login_ticket=; Path=/; Max-Age=0"] as const;
  const expected = [proofOf("sid", `${site}/`)];
  expect(await sessionsOf({ cookies: [[ticket[0], sid], [ticket[1]]] })).toEqual(expected);
  expect(await sessionsOf({ cookies: [[ticket[0]], [ticket[1], sid]] })).toEqual(expected);
  expect(await sessionsOf({ cookies: [[ticket[0]], [ticket[1]]] })).toEqual([]);
});

test("a cookie whose path begins with two slashes belongs to the same host", async () => {
  const cookies = [[`sid=${session}; Path=//`]];
  expect(await sessionsOf({ cookies })).toEqual([proofOf("sid", `${site}//`)]);
});

test("a cookie whose path contains a secret is no proof, because the check would reveal the path", async () => {
  const cookies = [[`sid=${session}`]];
  const url = `${site}/invite/8f3aK2mQ9xZ7pL4w/accept`;
  expect(await sessionsOf({ url, cookies })).toEqual([]);
  expect(await sessionsOf({ url: `${site}/user/login`, cookies })).toEqual([proofOf("sid", `${site}/user/`)]);
});

test("the URL of a proof contains no user and password", async () => {
  const url = "https://ann:sesame-1961@api.shop.test/login";
  expect(await sessionsOf({ url, cookies: [[`sid=${session}`]] })).toEqual([
    proofOf("sid", "https://api.shop.test/"),
  ]);
});
