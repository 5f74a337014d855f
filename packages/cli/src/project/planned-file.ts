/** One file of a plan. Paths begin at the project's root and have forward slashes. */
export type PlannedFile =
  | { readonly kind: "new"; readonly path: string; readonly text: string }
  /** It is there, and something is added. */
  | { readonly kind: "changed"; readonly path: string; readonly text: string; readonly added: string }
  /** It is there, and stays as it is. */
  | { readonly kind: "kept"; readonly path: string; readonly why: string };
