// pnpm packs each manifest as tools/repository.mjs makes it.
module.exports = {
  hooks: {
    /**
     * @param {Record<string, unknown>} manifest
     * @param {string} folder
     */
    beforePacking: async (manifest, folder) => {
      const { publishedManifest } = await import("./tools/repository.mjs");
      return publishedManifest(manifest, folder);
    },
  },
};
