/** Endings of files that are parts of a page. */
const ending =
  /\.(?:avif|bmp|css|eot|gif|ico|jpe?g|m?js|map|mp3|mp4|otf|png|svg|ttf|wasm|webm|webp|woff2?)$/i;

/** Whether a path, or its last segment, is that of a file which is the same for everybody: ids in it are versions. */
export function isStaticFileName(path: string): boolean {
  return ending.test(path);
}
