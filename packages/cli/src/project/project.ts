/** The package managers that a project may use. */
export const packageManagers = ["npm", "pnpm", "yarn", "bun"] as const;

export type PackageManager = (typeof packageManagers)[number];

/** A folder that gets load tests, and what is there already. */
export interface Project {
  /** The folder that an editor opens and a workflow belongs to: the repository's, or else the project's own. */
  readonly root: string;
  /** The path from the root to the folder of `package.json`, with a slash at its end: "" or "apps/shop/". */
  readonly prefix: string;
  /** The name for a new `package.json`. */
  readonly name: string;
  readonly packageManager: PackageManager;
  /** The text of a file, by its path from the root with forward slashes; null if there is none. */
  readonly read: (path: string) => string | null;
}

/** The command lines of a package manager. */
export interface PackageManagerLines {
  /** Installs what `package.json` names. */
  readonly install: string;
  /** The same in CI: exactly what the lockfile says. */
  readonly installLocked: string;
  /** Stands before the name of an installed command. */
  readonly exec: string;
  /** Makes the package manager available in CI; null for one that comes with Node. */
  readonly setUp: string | null;
}

export const linesOf: Readonly<Record<PackageManager, PackageManagerLines>> = {
  npm: { install: "npm install", installLocked: "npm ci", exec: "npx", setUp: null },
  pnpm: {
    install: "pnpm install",
    installLocked: "pnpm install --frozen-lockfile",
    exec: "pnpm exec",
    setUp: "corepack enable",
  },
  yarn: {
    install: "yarn install",
    installLocked: "yarn install --immutable",
    exec: "yarn run",
    setUp: "corepack enable",
  },
  bun: {
    install: "bun install",
    installLocked: "bun install --frozen-lockfile",
    exec: "bunx",
    setUp: "npm install --global bun",
  },
};
