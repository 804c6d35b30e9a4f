// Reports confusing file names: one that repeats its folder's, and two in a folder that differ by one letter.
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** The name is the part before the first dot: `terms.schema.ts` and `terms.test.ts` are both `terms`. */
const nameOf = (file) => file.replace(/\..*$/, '');

/** True if one letter added, removed or replaced turns one into the other. */
function differByALetter(one, other) {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (short === long || long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return short.slice(short.length === long.length ? at + 1 : at) === long.slice(at + 1);
}

/** @param siblings the names of all files in the folder, including this one. */
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
    messages: { confusing: '{{ what }}; choose a more distinct name.' },
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
