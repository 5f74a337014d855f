import type { Answer } from "@bearhug/sdk/internal";
import type { CaptureEntry } from "../capture.ts";

/** A recorded answer as `extract` sees a response. */
export class RecordedAnswer implements Answer {
  readonly url: string;
  readonly #entry: CaptureEntry;
  #text: string | null = null;
  #document: { readonly value: unknown } | null = null;

  constructor(entry: CaptureEntry) {
    this.#entry = entry;
    this.url = entry.request.url;
  }

  header(name: string): string | null {
    const lower = name.toLowerCase();
    const values = (this.#entry.response?.headers ?? []).filter(
      ([written]) => written.toLowerCase() === lower,
    );
    return values.length === 0 ? null : values.map(([, value]) => value).join(", ");
  }

  text(): string {
    return (this.#text ??= decodeBody(this.#entry));
  }

  json(): unknown {
    this.#document ??= { value: JSON.parse(this.text()) };
    return this.#document.value;
  }

  /** Parsed, where it is JSON; else undefined, which no JSON is. */
  document(): unknown {
    if (!/^\s{0,100}[[{"]/.test(this.text())) return undefined;
    try {
      return this.json();
    } catch {
      return undefined;
    }
  }
}

function decodeBody({ response }: CaptureEntry): string {
  const body = response?.body ?? null;
  if (body === null) return "";
  if ("text" in body) return body.text;
  const bytes = Uint8Array.from(atob(body.base64.replaceAll("-", "+").replaceAll("_", "/")), (character) =>
    character.charCodeAt(0),
  );
  return new TextDecoder().decode(bytes);
}
