// The times at which the provider is asked because something may have happened without a word.
import { DEADLINES } from '../../domain/deadline.js';
import { ladderInWords } from '../../domain/ladder.js';
import { table } from './table.js';

export const deadlines = (): string =>
  table({
    headings: ['deadline', 'when', 'asked is', 'and then'],
    rows: Object.values(DEADLINES).map(({ is, when, asks, late }) => [
      is,
      when,
      asks,
      late !== undefined ? `\`overdue\`; asked ${ladderInWords('overdue')}` : 'nothing more',
    ]),
  });
