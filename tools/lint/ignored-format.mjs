// Allows `prettier-ignore` only for tables of data, where aligned columns are easier to read: above a constant whose name is
// in capitals.

/** The node that follows a comment. */
function nodeBehind(comment, sourceCode) {
  const token = sourceCode.getTokenAfter(comment);
  let node = token && sourceCode.getNodeByRangeIndex(token.range[0]);
  while (node?.parent?.range[0] === node?.range[0] && node.parent.type !== 'Program') node = node.parent;
  return node;
}

function isTable(node) {
  const { type, declarations: [{ id, init }] = [{}] } = node?.declaration ?? node ?? {};
  return type === 'VariableDeclaration' && init !== null && /^[A-Z][A-Z0-9_]*$/.test(id.name ?? '');
}

const isFirstOnItsLine = ({ loc }, { lines }) =>
  lines[loc.start.line - 1].slice(0, loc.start.column).trim() === '';

export const ignoredFormat = {
  meta: {
    type: 'suggestion',
    messages: { code: 'Use `prettier-ignore` only above a table of data (a constant in capitals).' },
    schema: [],
  },
  create: (context) => ({
    Program() {
      const { sourceCode } = context;
      for (const comment of sourceCode.getAllComments()) {
        if (!/^\s*prettier-ignore\b/.test(comment.value)) continue;
        if (!isFirstOnItsLine(comment, sourceCode) || !isTable(nodeBehind(comment, sourceCode)))
          context.report({ loc: comment.loc, messageId: 'code' });
      }
    },
  }),
};
