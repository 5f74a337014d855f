import { BearhugError } from "@bearhug/sdk";

/** A file that the system would not have. */
export class FileNotWritten extends BearhugError {
  override readonly name = "FileNotWritten";
  readonly code = "FILE_NOT_WRITTEN";
  readonly path: string;

  /** @param inPlace files of the same lot that had taken their places before */
  constructor(path: string, cause: Error, inPlace: readonly string[] = []) {
    const others = inPlace.length === 0 ? "" : ` Written before it: ${inPlace.join(", ")}.`;
    super(`${path} could not be written: ${explain(cause)}.${others}`, { cause });
    this.path = path;
  }
}

/** The system's messages name a file that nobody asked for: "ENOSPC: no space left on device, write '.x.tmp'". */
function explain({ message }: Error): string {
  return message.split(",", 1).join("");
}
