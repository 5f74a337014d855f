import { createSigner, type Signer } from "./signer.ts";

export interface User {
  readonly name: string;
  readonly email: string;
}

/** The password of every user: this is a site for practice. */
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

export function findUser(name: unknown): User | undefined {
  return users.find((candidate) => candidate.name === name);
}

/** Returns the user of that name if the password is correct. */
export function checkPassword(name: unknown, password: unknown): User | undefined {
  return password === demoPassword ? findUser(name) : undefined;
}

/** Issues and verifies bearer tokens. Stores nothing per login, so any number of logins fits in memory. */
export interface Accounts {
  logIn(name: unknown, password: unknown): string | undefined;
  /** Returns the user of an `Authorization: Bearer` header; undefined if it is not valid. */
  authenticate(authorization: string | undefined): User | undefined;
}

export function createAccounts({ sign, isSignature }: Signer = createSigner()): Accounts {
  return {
    logIn(name, password) {
      const user = checkPassword(name, password);
      return user && `${user.name}.${sign(user.name)}`;
    },
    authenticate(authorization) {
      const [, name, signature] = /^Bearer (\w+)\.([\w-]+)$/i.exec(authorization ?? "") ?? [];
      const user = findUser(name);
      return user && isSignature(user.name, signature) ? user : undefined;
    },
  };
}
