// The resolution of an attention flag: the same for all resources.
import type { Attention } from '../../../domain/attention/flags.js';
import { DECISIONS } from '../../../domain/attention/resolution.js';
import { sentenceOf } from '../format.js';
import { given, type Action, type Field } from './action.js';

interface Flagged {
  attention: readonly Attention[];
}

const REASON: Field = { name: 'reason', label: 'Reason', type: 'text', isRequired: true, longest: 256 };
const DECISION: Field = {
  name: 'decision',
  label: 'Decision',
  hint: 'adopt: treat what the provider has under this uid as ours. close: give up ours.',
  type: 'choice',
  options: DECISIONS,
};

/** The action that resolves the flag with this code. */
export const resolutionOf = (code: string): Action<Flagged> => ({
  ...{ name: 'flag', title: `Resolve “${sentenceOf(code)}”`, scope: 'operate' },
  isOffered: ({ attention }) => attention.some((flag) => flag.code === code),
  effect: ({ attention }) => {
    const flag = attention.find((one) => one.code === code);
    return flag === undefined
      ? []
      : [
          flag.detail,
          `What to do: ${flag.next}`,
          'The flag ends, and the timeline stores your name and your reason. If the cause is still there, the flag may be raised again.',
        ];
  },
  fields: code === 'parked' ? [DECISION, REASON] : [REASON],
  request: (path, form) => ({
    path: `${path}/attention/${code}/resolution`,
    body: given(form, 'reason', 'decision'),
  }),
  done: 'The flag was resolved.',
});

/** What a person reads instead of the problem of the API. */
export const ADVICE: Readonly<Record<string, string>> = {
  no_such_attention:
    'This flag is not raised any more. Another person has resolved it, or its cause has ended. The timeline shows who and why; your reason was not stored.',
  approval_required:
    'Another person must approve this first. Give them the approval id below: they open this page, enter the same values and the id. Then you send this form with the id.',
  approval_given:
    'Your approval is stored, and nothing else was changed. The person who requested it can send the form now.',
};
