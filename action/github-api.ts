import { read } from "./job-event.ts";

/** The address of GitHub's API, and the token to ask it with. */
export interface ApiAccess {
  readonly apiUrl: string;
  readonly repository: string;
  readonly token: string;
}

/** A request that GitHub refused. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  readonly status: number;

  constructor(method: string, path: string, status: number, message: string) {
    super(`${method} ${path}: ${status} ${message}`);
    this.status = status;
  }

  /** True if the job's token has no such permission: GitHub says 404 where it hides that there is something. */
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

  /** `path`: from the repository on. @throws {RefusedError} */
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
    const answer = parse(await response.text());
    if (response.ok) return answer;
    const message = read(answer, "message");
    throw new RefusedError(method, path, response.status, typeof message === "string" ? message : "");
  }

  /** The pages of a list, one after the other. `key`: where in an answer the list is; null if it is the answer. */
  async *pages(path: string, key: string | null): AsyncGenerator<readonly unknown[]> {
    for (let page = 1; ; page += 1) {
      const separator = path.includes("?") ? "&" : "?";
      const answer = await this.request("GET", `${path}${separator}per_page=${pageSize}&page=${page}`);
      const list = key === null ? answer : read(answer, key);
      if (!Array.isArray(list)) throw new Error(`GET ${path}: the answer has no list.`);
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
