/** One file of a plan. Paths begin at the project's root and have forward slashes. */
export type PlannedFile =
  | { readonly kind: "new"; readonly path: string; readonly text: string }
  /** The file exists, and something is added. */
  | { readonly kind: "changed"; readonly path: string; readonly text: string; readonly added: string }
  /** The file exists and stays as it is. */
  | { readonly kind: "kept"; readonly path: string; readonly why: string };
