import { BearhugError } from "@bearhug/sdk";

/** A fault of this package: what it was about to hand out has a secret in it. It hands out nothing instead. */
export class SecretLeakError extends BearhugError {
  override readonly name = "SecretLeakError";
  readonly code = "SECRET_LEAK";
  constructor(file: string, line: number) {
    super(
      `This is a bug in bearhug: line ${line} of ${file} would have contained a secret from the capture, so nothing was written.`,
    );
  }
}
