// Words that comments and messages of the product must not use. They hide the actor or the source, or are out of date.
const WORDS =
  /\b([Nn]obody|[Ss]omebody|[Ww]hoever|[Nn]ewcomers?|[Tt]old|[Aa]new|[Mm]eanwhile|[Bb]eforehand|[Nn]ought|[Oo]nce more|taken up|goes on|[Ff]or want of)\b/g;

export const prose = {
  meta: {
    type: 'suggestion',
    messages: {
      replaced:
        '"{{ word }}" is not allowed. Name the actor, or use a plain word: "again", "continues", "received", "resumed", "unknown".',
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
