/** A header field in an HPACK table. Each character of its texts is one byte (latin1). */
export class Field {
  readonly name: string;
  readonly value: string;
  /** Its size by RFC 7541, section 4.1: both lengths and 32. */
  readonly sizeBytes: number;
  constructor(name: string, value: string) {
    this.name = name;
    this.value = value;
    this.sizeBytes = name.length + value.length + overheadOfField;
  }
}

/** Counted for each field of a table, and of a list of fields (RFC 9113, section 6.5.2). */
const overheadOfField = 32;
