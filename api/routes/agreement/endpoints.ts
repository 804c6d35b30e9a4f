import { z } from 'zod';
import { UNANSWERED } from '../../../domain/agreement/reminder.js';
import type { Endpoint } from '../../http/contract.js';
import {
  NO_METADATA_PAIR,
  amounts,
  client,
  isMetadataPair,
  listed,
  metadata,
} from '../../http/list-parameters.schema.js';
import { getOf, listOf, lookUpOf, resolveAttentionOf } from '../resource.js';
import { AGREEMENT, AGREEMENT_VIEW_STATES } from './answer.schema.js';
import { commandAgreement } from './command.js';
import { createAgreement } from './create.js';

const AgreementsQuery = z
  .strictObject({
    ...listed(AGREEMENT_VIEW_STATES),
    client,
    ...amounts,
    ...metadata,
    unanswered: z.enum(UNANSWERED).optional().meta({
      description: 'Only agreements in state `created` whose payer has not answered for at least this long.',
    }),
  })
  .refine(isMetadataPair, NO_METADATA_PAIR);

export const agreementEndpoints: readonly Endpoint[] = [
  createAgreement,
  listOf(AGREEMENT, {
    summary: 'List agreements by state, pending event or attention flag',
    query: AgreementsQuery,
  }),
  getOf(AGREEMENT),
  ...commandAgreement,
  lookUpOf(AGREEMENT, { answered: 'The timeline' }),
  resolveAttentionOf(AGREEMENT, {
    operationId: 'resolveAttention',
    answered: 'The timeline shows the principal and the reason.',
  }),
];
