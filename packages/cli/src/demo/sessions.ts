import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { findUser, type User } from "./accounts.ts";
import { createSigner, type Signer } from "./signer.ts";

/** A session, as stored in a browser's cookie. */
export interface DemoSession {
  /** A random id, which changes at each login. */
  readonly id: string;
  /** Undefined until the visitor logs in. */
  readonly user: User | undefined;
}

/** The session of a logged-in visitor. */
export interface UserSession extends DemoSession {
  readonly user: User;
}

/** Sessions in signed cookies: nothing is stored per visitor, so any number of them fits in memory. */
export interface Sessions {
  begin(user?: User): DemoSession;
  /** Returns the `Set-Cookie` header with the session. */
  cookieFor(session: DemoSession): string;
  /** Returns the session of a request; undefined if its cookie is missing, expired or not from this site. */
  read(headers: IncomingHttpHeaders): DemoSession | undefined;
  /** Returns the session of a request if its visitor has logged in. */
  readUser(headers: IncomingHttpHeaders): UserSession | undefined;
  /**
   * Returns a token that proves that a request comes from a form of the site; valid only for this session and
   * purpose.
   */
  csrfToken(session: DemoSession, purpose: string): string;
  isCsrfToken(session: DemoSession, purpose: string, token: unknown): boolean;
}

const cookieName = "session";
const lifeSeconds = 3600;

/** The `Set-Cookie` header that ends a session. */
export const noSession = "session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax";

export function createSessions(
  { sign, isSignature }: Signer = createSigner(),
  now: () => number = Date.now,
): Sessions {
  const read = (headers: IncomingHttpHeaders): DemoSession | undefined => {
    const [, claims, signature] = /^(.+)\.([\w-]+)$/.exec(readCookie(headers) ?? "") ?? [];
    if (claims === undefined || !isSignature(`session ${claims}`, signature)) return undefined;
    const [name, expires, id = ""] = claims.split(".");
    return Number(expires) * 1000 > now() ? { id, user: findUser(name) } : undefined;
  };
  return {
    begin: (user) => ({ id: randomBytes(12).toString("base64url"), user }),
    cookieFor({ id, user }) {
      const claims = `${user?.name ?? ""}.${Math.floor(now() / 1000) + lifeSeconds}.${id}`;
      const value = `${claims}.${sign(`session ${claims}`)}`;
      return `${cookieName}=${value}; Path=/; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax`;
    },
    read,
    readUser(headers) {
      const session = read(headers);
      return session?.user && { ...session, user: session.user };
    },
    csrfToken: ({ id }, purpose) => sign(`csrf ${id} ${purpose}`),
    isCsrfToken: ({ id }, purpose, token) => isSignature(`csrf ${id} ${purpose}`, token),
  };
}

function readCookie({ cookie = "" }: IncomingHttpHeaders): string | undefined {
  const pair = cookie.split(/; */).find((candidate) => candidate.startsWith(`${cookieName}=`));
  return pair?.slice(cookieName.length + 1);
}
