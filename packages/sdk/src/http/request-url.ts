/** A URL, absolute or relative to the test's `baseUrl`. Put a user and password into `auth`. */
export type RequestUrl = string | { readonly href: string };
