import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

export interface User {
  readonly name: string;
  readonly email: string;
}

/** Everybody's password: this is a site to practise on. */
export const demoPassword = "honey";

export const users: readonly User[] = [
  "ada",
  "brian",
  "cleo",
  "dmitri",
  "edith",
  "farid",
  "grace",
  "hiro",
  "ines",
  "jonas",
].map((name) => ({ name, email: `${name}@example.com` }));

/** Hands out tokens and tells whose they are. Keeps nothing per login, so any number of logins fits in memory. */
export interface Accounts {
  logIn(name: unknown, password: unknown): string | undefined;
  /** The user of an `Authorization: Bearer` header. */
  authenticate(authorization: string | undefined): User | undefined;
}

export function createAccounts(key: Buffer = randomBytes(32)): Accounts {
  const sign = (name: string): Buffer => createHmac("sha256", key).update(name).digest();
  return {
    logIn(name, password) {
      const user = users.find((candidate) => candidate.name === name);
      return user && password === demoPassword
        ? `${user.name}.${sign(user.name).toString("base64url")}`
        : undefined;
    },
    authenticate(authorization) {
      const [, name, signature] = /^Bearer (\w+)\.([\w-]+)$/i.exec(authorization ?? "") ?? [];
      const user = users.find((candidate) => candidate.name === name);
      if (!user || signature === undefined) return undefined;
      const given = Buffer.from(signature, "base64url");
      const expected = sign(user.name);
      return given.length === expected.length && timingSafeEqual(given, expected) ? user : undefined;
    },
  };
}
