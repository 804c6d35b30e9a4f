// Keeps words that the glossary has replaced out of the names of files and declarations. For prose, only the words of
// prose.mjs are checked. Names declared by a library or the wire may use any word.
import { basename } from 'node:path';

// prettier-ignore
/** The replaced words, in lower case, each with its replacement. A space separates consecutive words of a name. */
const ROWS = [
  ['tell, tells, telling, told', 'deliver, signal or print; what arrived is received'],
  ['look, looks, looked, looking, glance, glances, glimpse', 'snapshot, fetchSnapshot; the command is lookUp'],
  ['held back', 'queued'],
  ['held, holds', 'state'],
  ['unbroken, seen through', 'uninterruptible'],
  ['newcomer, newcomers, waiting line', 'blocked'],
  ['wake, wakes, waking, woken', 'resumeBlocked, resumed'],
  ['beat, beats, beating', 'heartbeat'],
  ['called off', 'cancelled'],
  ['our', 'local or command'],
  ['renew, renews, renewed, renewing, renewal, renewals', 'refresh (tokens) or reauthorise (consents)'],
  ['whoever, somebody, nobody', 'caller, operator, payer or provider'],
];
const REPLACED = Object.fromEntries(ROWS.flatMap(([out, use]) => out.split(', ').map((word) => [word, use])));

/** The command has this name on the wire. */
const KEPT = /\blook(s|ed|ing)? ups?\b/g;

/** Members in snake case belong to the wire. */
const OF_THE_WIRE = /^[a-z0-9]+(_[a-z0-9]+)+$/;

/** The words of a name, in lower case and separated by spaces: `heldBack`, `HELD_BACK` and `held-back` are equal. */
const wordsOf = (name) =>
  (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).join(' ').toLowerCase().replaceAll(KEPT, '');

const MESSAGE = '"{{ word }}" in "{{ name }}" is not in the vocabulary; use: {{ instead }}.';

/** The report for a name: its first replaced word. */
function fault(name, replaced) {
  const words = ` ${wordsOf(name)} `;
  const word = Object.keys(replaced).find((out) => words.includes(` ${out} `));
  return word === undefined ? undefined : { word, name, instead: replaced[word] };
}

/** An imported name is checked in its own file, unless it is renamed here. */
const isDeclaredHere = ({ type, name, node }) =>
  type !== 'ImportBinding' || (node.type === 'ImportSpecifier' && node.imported.name !== name.name);

export const vocabulary = {
  meta: {
    type: 'suggestion',
    messages: { replaced: MESSAGE },
    // Additional words for one room.
    schema: [{ type: 'object', additionalProperties: { type: 'string' } }],
    defaultOptions: [{}],
  },
  create(context) {
    const { filename, sourceCode, options } = context;
    const replaced = { ...REPLACED, ...options[0] };
    const check = (node, name) => {
      const data = fault(name, replaced);
      if (data !== undefined) context.report({ node, messageId: 'replaced', data });
    };
    const checkMember = ({ key, computed, shorthand, parent }) => {
      const isNamedHere =
        key.type === 'Identifier' && !computed && !shorthand && parent.type !== 'ObjectPattern';
      if (isNamedHere && !OF_THE_WIRE.test(key.name)) check(key, key.name);
    };
    return {
      Program(program) {
        const [stem] = basename(filename).split('.');
        check(program, stem);
        const data = { word: 'words', name: stem, instead: 'view' };
        if (stem.endsWith('-words')) context.report({ node: program, messageId: 'replaced', data });
        for (const { variables } of sourceCode.scopeManager.scopes)
          for (const { defs } of variables)
            for (const definition of defs.slice(0, 1).filter(isDeclaredHere))
              if (definition.name?.type === 'Identifier') check(definition.name, definition.name.name);
      },
      'Property, PropertyDefinition, MethodDefinition, TSPropertySignature, TSMethodSignature': checkMember,
    };
  },
};
