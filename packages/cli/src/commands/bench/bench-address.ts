import { parseHttpUrl } from "@bearhug/text/http-url";

import { testFileProblem } from "../command-line/test-file-problem.ts";

/** An address without user and password, which must not be displayed, and the header that carries them. */
interface BenchAddress {
  readonly href: string;
  readonly authorization: string | null;
}

/** Parses a URL; the scheme is optional. `place` starts each problem message; empty for an argument. */
export function readAddress(url: string, place: string, problems: string[]): BenchAddress {
  const problem = testFileProblem(url);
  if (problem !== null) {
    problems.push(place + problem);
    return { href: url, authorization: null };
  }
  const parsed = parseHttpUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`);
  if (parsed === null) {
    const shown = url.replace(/^([^:/?#]*:\/\/)?[^/?#]*@/, "$1***@");
    problems.push(
      place === ""
        ? `"${shown}" is neither a command nor an address. Try bearhug --help, or an address such as http://127.0.0.1:8080/.`
        : `${place}"${shown}" is not an address such as http://127.0.0.1:8080/.`,
    );
    return { href: shown, authorization: null };
  }
  const authorization = readUser(parsed, place, problems);
  parsed.username = "";
  parsed.password = "";
  return { href: parsed.href, authorization };
}

/** Returns the header value of basic authentication (RFC 7617). `user` must not contain a colon. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function readUser({ username, password }: URL, place: string, problems: string[]): string | null {
  if (username === "" && password === "") return null;
  const where = place === "" ? "<url>: " : place;
  try {
    const user = decodeURIComponent(username);
    if (!user.includes(":")) return basicAuthorization(user, decodeURIComponent(password));
    problems.push(`${where}the user name must not contain a colon, which starts the password.`);
  } catch {
    problems.push(`${where}percent-encode the user and password; write % as %25.`);
  }
  return null;
}
