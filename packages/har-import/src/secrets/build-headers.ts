const buildHeader =
  /^(?:next-action|next-router-state-tree|(?:x-|next-)deployment-id|x-inertia-version|x-gwt-permutation|x-(?:app-)?build(?:-id|-hash)?)$/i;

/** Returns true for a header that changes with each build of the site, and is the same for all visitors. */
export function isBuildHeader(name: string): boolean {
  return buildHeader.test(name);
}
