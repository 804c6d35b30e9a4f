// Names of files that a reader would mix up: one that repeats its folder's, and two in a folder that differ by a letter.
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** `terms.schema.ts` and `terms.test.ts` are `terms`: what stands before the first dot is the name. */
const nameOf = (file) => file.replace(/\..*$/, '');

/** Whether one becomes the other by one letter more, less or other. */
function differByALetter(one, other) {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short === long || long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}

/** @param siblings the names of all that is in the folder, its own among them. */
function faultsOf(path, siblings) {
  const name = nameOf(basename(path));
  const folder = basename(dirname(path));
  const repeats = name.split(/[-.]/).includes(folder) ? [`"${name}" repeats the name of its folder`] : [];
  const names = [...new Set(siblings.map(nameOf))];
  const twins = names.filter((sibling) => differByALetter(name, sibling));
  return [...repeats, ...twins.map((twin) => `"${name}" and "${twin}" differ by a letter`)];
}

export const fileNames = {
  meta: {
    type: 'suggestion',
    messages: { confusing: '{{ what }}; a name of its own says more.' },
    schema: [],
  },
  create: (context) => ({
    Program(node) {
      const { filename } = context;
      for (const what of faultsOf(filename, readdirSync(dirname(filename))))
        context.report({ node, messageId: 'confusing', data: { what } });
    },
  }),
};
