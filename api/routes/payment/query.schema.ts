// The query parameters of the lists and totals of payments.
import { z } from 'zod';
import { UidSchema } from '../../../domain/agreement/mandate.schema.js';
import {
  NO_METADATA_PAIR,
  amounts,
  client,
  isMetadataPair,
  listed,
  metadata,
  settled,
  sort,
} from '../../http/list-parameters.schema.js';
import { aDay, connectionId } from '../../http/parameters.schema.js';
import { PAYMENT_VIEW_STATES } from './answer.schema.js';

const ofPayments = {
  state: z.enum(PAYMENT_VIEW_STATES).optional(),
  connection: connectionId.optional(),
  agreement: UidSchema.optional(),
  client,
};
export const PaymentsQuery = z
  .strictObject({
    ...listed(PAYMENT_VIEW_STATES),
    ...ofPayments,
    ...amounts,
    ...settled,
    ...metadata,
    reference: z.string().min(1).max(35).optional().meta({ description: 'The reference, exactly.' }),
    sort: sort(['created', 'amount', 'settled']),
  })
  .refine(isMetadataPair, NO_METADATA_PAIR);

const day = (description: string) => aDay.optional().meta({ description, example: '2026-10-01' });
export const SummaryQuery = z.strictObject({
  ...ofPayments,
  from: day('The first day in Sydney. Default: 31 days before `until`.'),
  until: day('The day after the last one in Sydney. Default: tomorrow.'),
});
