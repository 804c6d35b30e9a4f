// Responses for the statement of a float account.
import { z } from 'zod';
import { nextBusinessDay } from '../../../domain/time/business-days.js';
import type { StoredFloatEntry } from '../../../domain/float/entries.js';
import type { StoredStatement } from '../../../records/float-entries.js';
import { InstantSchema, NextBusinessDaySchema, NextLink } from '../../http/answer-parts.schema.js';
import { FloatChainBreak, FloatEntry, chainBreakAnswer, floatEntryAnswer } from './answer.schema.js';

const Sum = z
  .object({ count: z.int(), amount: z.int().meta({ description: 'In cents, without a sign.' }) })
  .meta({ id: 'FloatSum' });

const Balance = z.int().nullable();

const FloatStatement = z
  .object({
    float_account: z.string().meta({ description: 'The uid of the account.' }),
    day: z.string().meta({ format: 'date', description: 'In Sydney.' }),
    next_business_day: NextBusinessDaySchema,
    from: InstantSchema.meta({ description: 'The first instant of the day.' }),
    until: InstantSchema.meta({ description: 'The first instant of the next day.' }),
    complete: z.boolean().meta({
      description:
        'Whether the account was read after the end of the day: every entry that the provider listed then is stored.',
    }),
    read_at: InstantSchema.nullable().meta({
      description: 'When the newest successful reading of the account began. Null if there is none.',
    }),
    opening: Balance.meta({ description: 'The balance before the first entry, in cents.' }),
    closing: Balance.meta({ description: 'The balance after the last entry, in cents.' }),
    credits: Sum,
    debits: Sum,
    matched: Sum.meta({ description: 'Entries that a payment, a refund or a decision explains.' }),
    unmatched: Sum.meta({ description: 'Entries that nothing explains yet.' }),
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
}

const isComplete = (readAt: string | undefined, until: string): boolean =>
  readAt !== undefined && Date.parse(readAt) >= Date.parse(until);

export const statementAnswer = (
  { uid, day, from, until }: StatementDay,
  { opening, closing, credits, debits, matched, unmatched, breaks, readAt }: StoredStatement,
  page: readonly StoredFloatEntry[],
): z.output<typeof FloatStatement> => ({
  ...{ float_account: uid, day, next_business_day: nextBusinessDay(day), from, until },
  ...{ complete: isComplete(readAt, until), read_at: readAt ?? null },
  ...{ opening: opening ?? null, closing: closing ?? null, credits, debits, matched, unmatched },
  chain_breaks: breaks.map(chainBreakAnswer),
  entries: page.map(floatEntryAnswer),
});
