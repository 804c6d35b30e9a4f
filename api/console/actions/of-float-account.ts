// The commands of a float account.
import { startOfSydneyDay } from '../../../domain/time/sydney.js';
import { isDay } from '../../../domain/time/calendar.js';
import type { FloatAccount } from '../answers.js';
import { given, type Action, type Field } from './action.js';

const reason = (hint: string): Field => ({
  ...{ name: 'reason', label: 'Reason', hint },
  ...{ type: 'text', isRequired: true, longest: 256 },
});

export const FLOAT_ACCOUNT_ACTIONS: readonly Action<FloatAccount>[] = [
  {
    ...{ name: 'acknowledgement', title: 'Acknowledge the broken chain', scope: 'operate' },
    isWithoutApproval: true,
    isOffered: ({ attention }) => attention.some(({ code }) => code === 'float_chain'),
    effect: ({ attention }) => [
      ...attention.flatMap(({ code, detail }) => (code === 'float_chain' ? [detail] : [])),
      'Compare the entries with the provider’s statement first, and find out why the balances do not follow each other.',
      'The flag ends, and the worker no longer searches for the missing entry. No entry changes, and the break stays on the page with your name and your reason.',
    ],
    fields: [reason('What you found, such as “corrected by the provider, case 7”.')],
    request: (path, form) => ({ path: `${path}/acknowledgement`, body: given(form, 'reason') }),
    done: 'The break was acknowledged, and its flag has ended.',
  },
  {
    ...{ name: 'reading', title: 'Read the entries again', scope: 'operate' },
    isWithoutApproval: true,
    isOffered: ({ state }) => state !== 'blocked',
    effect: () => [
      'A worker reads the entries from the provider again, stores those that are missing, and checks the balances. It changes nothing at the provider.',
    ],
    fields: [
      {
        ...{ name: 'from', label: 'From the day (optional)', hint: 'In Sydney. Empty: all entries.' },
        ...{ type: 'date', isRequired: false },
      },
      reason('Why you request it, such as “an entry is missing, case 7”.'),
    ],
    request: (path, form) => {
      const { from, ...rest } = given(form, 'from', 'reason');
      if (from !== undefined && !isDay(from)) return { wrong: 'Write the day as 2026-10-01.' };
      const body = { ...rest, ...(from !== undefined && { from: startOfSydneyDay(from) }) };
      return { path: `${path}/reading`, body };
    },
    done: 'The reading has started. Reload the page in a few seconds.',
  },
];
