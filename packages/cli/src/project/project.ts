/** The package managers that a project may use. */
export const packageManagers = ["npm", "pnpm", "yarn", "bun"] as const;

export type PackageManager = (typeof packageManagers)[number];

/** A folder to which load tests are added, with its existing files. */
export interface Project {
  /** The folder for editor and workflow files: the repository's, or the project's own if there is none. */
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
  /** Installs the packages of `package.json`. */
  readonly install: string;
  /** Installs exactly the versions of the lockfile, for CI. */
  readonly installLocked: string;
  /** Precedes the name of an installed command. */
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
