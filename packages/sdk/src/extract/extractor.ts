/** Where in a response a value stands. */
export type Extractor =
  /**
   * In a JSON body: keys and indexes (from 0), such as `user.items[0].id` or `["odd key"].id`; "" is the whole body.
   * A number or boolean gives its text; an object, a list or null is no value.
   */
  | { readonly json: string }
  /**
   * The value of a form's field in an HTML body, by its name: of an `input` or `button` its `value`, of a `textarea` its
   * text, of a `select` the option that is chosen. Each radio button and checkbox is a field of its own.
   * `nth`: which of several of that name, from 1. @default 1
   */
  | { readonly field: string; readonly nth?: number }
  /** The content of a `meta` element in an HTML body, by its `name` or `property`. */
  | { readonly meta: string }
  /** A header, by its name, whatever its case. */
  | { readonly header: string }
  /** A parameter in the query, or fragment, of the address that answered, redirects followed, or of its `location`. */
  | { readonly query: string }
  /**
   * A segment in the path of its `location`, or, without one, of the address that answered, redirects followed: `-1` is
   * the last, such as the id of what was made; `1` the first.
   */
  | { readonly segment: number }
  /**
   * The text between two others in the body: the shortest. Nothing in it is decoded.
   * `nth`: which of several, from 1. The search for the next begins behind the right text, so equal texts come in
   * pairs: the second between quotation marks in `"7","8"` is `8`. @default 1
   */
  | { readonly between: readonly [left: string, right: string]; readonly nth?: number };
