/** A response to extract values from, received or recorded. */
export interface Answer {
  /** The address that answered, redirects followed. */
  readonly url: string;
  /** A header by its name, whatever its case; null where it is absent. */
  header(name: string): string | null;
  /** The body, decoded. */
  text(): string;
  /** The body parsed. Throws where it isn't JSON. */
  json(): unknown;
}
