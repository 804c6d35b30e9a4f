// The words that may not stand in comments and messages of the product either, as they hide who acts, or how it came.
const WORDS = /\b([Nn]obody|[Ss]omebody|[Ww]hoever|[Nn]ewcomers?|[Tt]old)\b/g;

export const prose = {
  meta: {
    type: 'suggestion',
    messages: {
      replaced:
        '"{{ word }}" is out of the vocabulary: name the actor, or say "it is not known", "new" or "received".',
    },
    schema: [],
  },
  create(context) {
    const check = ({ loc }, text) => {
      for (const [word] of text.matchAll(WORDS))
        context.report({ loc, messageId: 'replaced', data: { word } });
    };
    return {
      Program: () => context.sourceCode.getAllComments().forEach((comment) => check(comment, comment.value)),
      Literal: (node) => check(node, String(node.value)),
      TemplateElement: (node) => check(node, node.value.raw),
    };
  },
};
