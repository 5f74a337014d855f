/** In the global registry, because a response may come from another copy of this package. */
const onExtracted: unique symbol = Symbol.for("bearhug.extracted");

/** Is called with each value that `extract` takes from a response. `sought`: the extractor, in words. */
type Watch = (sought: string, value: string) => void;

interface WatchedResponse {
  readonly [onExtracted]: Watch;
}

/** From now on, `watch` gets each value that `extract` takes from this response. */
export function watchExtractions(response: object, watch: Watch): void {
  Object.defineProperty(response, onExtracted, { value: watch });
}

export function tellExtracted(response: object, sought: string, value: string): void {
  if (isWatched(response)) response[onExtracted](sought, value);
}

function isWatched(response: object): response is WatchedResponse {
  return onExtracted in response;
}
