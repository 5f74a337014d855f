import { read } from "./job-event.ts";

/** The address of GitHub's API, and a token for it. */
export interface ApiAccess {
  readonly apiUrl: string;
  readonly repository: string;
  readonly token: string;
}

/** A request that GitHub rejected. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly status: number;

  constructor(method: string, path: string, status: number, message: string) {
    super(`${method} ${path}: ${status} ${message}`);
    this.status = status;
  }

  /**
   * True if the job's token lacks the permission. GitHub also responds with 404, to hide that a resource
   * exists.
   */
  get isForbidden(): boolean {
    return this.status === 401 || this.status === 403 || this.status === 404;
  }
}

const pageSize = 100;
const timeoutMs = 30_000;

/** The REST API of one repository. */
export class GithubApi {
  readonly #access: ApiAccess;

  constructor(access: ApiAccess) {
    this.#access = access;
  }

  /** Sends a request. `path` is relative to the repository. @throws {RefusedError} */
  async request(method: "GET" | "POST" | "PATCH", path: string, body?: unknown): Promise<unknown> {
    const { apiUrl, repository, token } = this.#access;
    const response = await fetch(`${apiUrl}/repos/${repository}${path}`, {
      method,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${token}`,
        "x-github-api-version": "2022-11-28",
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
    const document = parse(await response.text());
    if (response.ok) return document;
    const message = read(document, "message");
    throw new RefusedError(method, path, response.status, typeof message === "string" ? message : "");
  }

  /**
   * Yields the pages of a list. `key` is the property of a response that has the list; null if the response
   * is the list.
   */
  async *pages(path: string, key: string | null): AsyncGenerator<readonly unknown[]> {
    for (let page = 1; ; page += 1) {
      const separator = path.includes("?") ? "&" : "?";
      const document = await this.request("GET", `${path}${separator}per_page=${pageSize}&page=${page}`);
      const list = key === null ? document : read(document, key);
      if (!Array.isArray(list)) throw new Error(`GET ${path}: the response has no list.`);
      yield list;
      if (list.length < pageSize) return;
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
