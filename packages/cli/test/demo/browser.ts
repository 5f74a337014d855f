import { expect } from "vitest";

/** A minimal browser: it keeps the session's cookie and sends requests without following redirects. */
export interface Browser {
  cookie: string;
  get(path: string): Promise<Visited>;
  post(path: string, fields: Readonly<Record<string, string>>): Promise<Visited>;
  upload(path: string, body: FormData | string, headers?: Readonly<Record<string, string>>): Promise<Visited>;
  send(path: string, value: unknown, headers: Readonly<Record<string, string>>): Promise<Visited>;
}

/** A response; redirects are not followed. */
export interface Visited {
  readonly status: number;
  readonly location: string | null;
  readonly cacheControl: string | null;
  readonly text: string;
  /** Returns the value of a hidden field. */
  hidden(name: string): string;
}

export function openBrowser(siteUrl: string): Browser {
  const browser: Browser = {
    cookie: "",
    get: (path) => visit(path, {}),
    post: (path, fields) => visit(path, { method: "POST", body: new URLSearchParams(fields) }),
    upload: (path, body, headers = {}) => visit(path, { method: "POST", body, headers }),
    send: (path, value, headers) =>
      visit(path, {
        method: "POST",
        body: JSON.stringify(value),
        headers: { "content-type": "application/json", ...headers },
      }),
  };
  async function visit(path: string, init: RequestInit): Promise<Visited> {
    const headers = new Headers(init.headers);
    if (browser.cookie !== "") headers.set("cookie", browser.cookie);
    const response = await fetch(siteUrl + path, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) browser.cookie = keep(line);
    return readVisited(response);
  }
  return browser;
}

function keep(line: string): string {
  const [pair = "", ...attributes] = line.split("; ");
  expect(attributes).toEqual(expect.arrayContaining(["Path=/", "HttpOnly", "SameSite=Lax"]));
  return attributes.includes("Max-Age=0") ? "" : pair;
}

async function readVisited(response: Response): Promise<Visited> {
  const text = await response.text();
  return {
    status: response.status,
    location: response.headers.get("location"),
    cacheControl: response.headers.get("cache-control"),
    text,
    hidden(name) {
      const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1];
      if (value === undefined) throw new Error(`no hidden field ${name} in:\n${text}`);
      return value;
    },
  };
}

/** Logs in with the form, as a visitor does. */
export async function logIn(browser: Browser, user = "ada", next = ""): Promise<Visited> {
  const form = await browser.get(`/login${next}`);
  const [csrf, hiddenNext] = [form.hidden("csrf"), form.hidden("next")];
  return browser.post("/login", { user, password: "honey", csrf, next: hiddenNext });
}
