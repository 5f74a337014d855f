import type { Duration } from "../duration/duration.ts";

export const envTypes = ["string", "number", "duration", "boolean"] as const;

/** The type that the text of an environment variable is read as. */
export type EnvType = (typeof envTypes)[number];

/**
 * The environment variables that a test declares: their types by name, `unknown` if a declaration has no
 * type.
 */
export type EnvTypes = Readonly<Record<string, unknown>>;

type EnvDefault<T> = T extends "number"
  ? number
  : T extends "duration"
    ? Duration
    : T extends "boolean"
      ? boolean
      : string;

/** An environment variable that a test reads. It must be set, unless it has a default or is optional. */
export interface EnvDeclaration<T = EnvType> {
  /**
   * How to read its value: `"number"`, `"duration"` (such as `30s`; in milliseconds), `"boolean"` (`true`, `false`,
   * `1` or `0`) or `"string"`. @default "string"
   */
  readonly type?: T & EnvType;
  /**
   * Its value if it is not set.
   * @default none: the run does not start without the variable, unless it is `optional`
   */
  readonly default?: EnvDefault<T>;
  /**
   * True if the test works without it; only for strings without a `default`. If it is not set or empty, its
   * value is "", and the run prints a note. @default false
   */
  readonly optional?: boolean;
  /**
   * Masks its value in everything that bearhug writes. A common word or a short value is masked in fields for
   * secrets only. Values of variables with token, secret, password (in any of thirty languages) or key in
   * their names are always masked.
   * @default false
   */
  readonly secret?: boolean;
  /** Explains the variable in the message that it is missing. */
  readonly description?: string;
}

/** The value of an environment variable; durations are milliseconds. */
export type EnvValue = string | number | boolean;

/** The values of declared environment variables, by name. */
export type EnvValues<E extends EnvTypes> = {
  readonly [Name in keyof E]: E[Name] extends "number" | "duration"
    ? number
    : E[Name] extends "boolean"
      ? boolean
      : string;
};

/** No environment variables. */
export type NoEnv = Readonly<Record<never, never>>;

/** A function that computes an option from the environment variables before the run: `({ env }) => env.USERS`. */
export type FromEnv<T, V> = (context: { readonly env: V }) => T;
