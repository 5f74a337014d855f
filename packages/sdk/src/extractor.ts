/** Where in a response a value stands. */
export type Extractor =
  /** In a JSON body: keys and indexes, such as `user.items[0].id` or `["odd key"].id`. A number or boolean as its text. */
  | { readonly json: string }
  /** The value of a form's field in an HTML body, by its name: `input`, `textarea`, `select`, `button`. */
  | { readonly field: string; readonly nth?: number }
  /** The content of a `meta` element in an HTML body, by its name or property. */
  | { readonly meta: string }
  /** A header, by its name. */
  | { readonly header: string }
  /** A parameter in the query, or fragment, of the address that answered, redirects followed, or of its `location`. */
  | { readonly query: string }
  /** What stands in the body, as text, between two texts: the shortest. */
  | { readonly between: readonly [left: string, right: string]; readonly nth?: number };
