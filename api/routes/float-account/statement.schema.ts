// Responses for the statement of a float account.
import { z } from 'zod';
import type { StoredFloatEntry } from '../../../domain/float/entries.js';
import type { Statement } from '../../../domain/float/statement.js';
import { InstantSchema, NextLink } from '../../http/answer-parts.schema.js';
import { FloatChainBreak, FloatEntry, chainBreakAnswer, floatEntryAnswer } from './answer.schema.js';

const Sum = z
  .object({ count: z.int(), amount: z.int().meta({ description: 'In cents, without a sign.' }) })
  .meta({ id: 'FloatSum' });

const Balance = z.int().nullable();

const FloatStatement = z
  .object({
    float_account: z.string(),
    day: z.string().meta({ format: 'date', description: 'In Sydney.' }),
    from: InstantSchema.meta({ description: 'The first instant of the day.' }),
    until: InstantSchema.meta({ description: 'The first instant of the next day.' }),
    complete: z.boolean().meta({ description: 'False while the day has not ended.' }),
    opening: Balance.meta({ description: 'The balance before the first entry, in cents.' }),
    closing: Balance.meta({ description: 'The balance after the last entry, in cents.' }),
    credits: Sum,
    debits: Sum,
    matched: Sum,
    unmatched: Sum,
    chain_breaks: z.array(FloatChainBreak).meta({
      description:
        'Entries that do not follow each other. Without any, `opening` plus all amounts is `closing`.',
    }),
    entries: z.array(FloatEntry).meta({
      description: 'A page of them, in the order of their balances. Everything else is of the whole day.',
    }),
  })
  .meta({ id: 'FloatStatement' });
export const StatementAnswer = z
  .object({ data: FloatStatement, links: NextLink })
  .meta({ id: 'FloatStatementAnswer' });

interface StatementDay {
  uid: string;
  day: string;
  from: string;
  until: string;
  isOver: boolean;
}

export const statementAnswer = (
  { uid, day, from, until, isOver }: StatementDay,
  { opening, closing, credits, debits, matched, unmatched, breaks }: Statement,
  page: readonly StoredFloatEntry[],
): z.output<typeof FloatStatement> => ({
  ...{ float_account: uid, day, from, until, complete: isOver },
  ...{ opening: opening ?? null, closing: closing ?? null, credits, debits, matched, unmatched },
  chain_breaks: breaks.map(chainBreakAnswer),
  entries: page.map(floatEntryAnswer),
});
