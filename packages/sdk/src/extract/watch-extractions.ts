/** A symbol of the global registry, because a response may come from another copy of this package. */
const onExtracted: unique symbol = Symbol.for("bearhug.extracted");

/** Receives each value that `extract` takes from a response. `extractor`: a description of the extractor. */
type Watch = (extractor: string, value: string) => void;

interface WatchedResponse {
  readonly [onExtracted]: Watch;
}

/** Calls `watch` with each value that `extract` takes from this response from now on. */
export function watchExtractions(response: object, watch: Watch): void {
  Object.defineProperty(response, onExtracted, { value: watch });
}

export function reportExtracted(response: object, extractor: string, value: string): void {
  if (isWatched(response)) response[onExtracted](extractor, value);
}

function isWatched(response: object): response is WatchedResponse {
  return onExtracted in response;
}
