// The lint rules of this repository, for eslint.config.mjs and their tests. `plugin.d.mts` declares its types.
import { fileNames } from './file-names.mjs';
import { ignoredFormat } from './ignored-format.mjs';
import { prose } from './prose.mjs';
import { vocabulary } from './vocabulary.mjs';

export const house = {
  rules: { vocabulary, prose, 'file-names': fileNames, 'ignored-format': ignoredFormat },
};
