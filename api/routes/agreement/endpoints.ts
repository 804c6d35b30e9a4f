import { z } from 'zod';
import { UNANSWERED } from '../../../domain/agreement/reminder.js';
import type { Endpoint } from '../../http/contract.js';
import { amounts, client, listQuery, metadata } from '../../http/list-parameters.schema.js';
import { getOf, listOf, lookUpOf, resolveAttentionOf } from '../resource.js';
import { AGREEMENT, AGREEMENT_VIEW_STATES } from './answer.schema.js';
import { commandAgreement } from './command.js';
import { createAgreement } from './create.js';

export const agreementEndpoints: readonly Endpoint[] = [
  createAgreement,
  listOf(AGREEMENT, {
    summary: 'List agreements by state, pending event or attention flag',
    description:
      'Use this to find agreements, for example those whose payer has not decided for a day (`unanswered`).',
    query: listQuery(AGREEMENT_VIEW_STATES, {
      client,
      ...amounts,
      ...metadata,
      unanswered: z.enum(UNANSWERED).optional().meta({
        description:
          'Only agreements in state `created` whose payer has not answered for at least this long.',
      }),
    }),
  }),
  getOf(AGREEMENT),
  ...commandAgreement,
  lookUpOf(AGREEMENT, { answered: 'The timeline' }),
  resolveAttentionOf(AGREEMENT, {
    operationId: 'resolveAttention',
    answered: 'The timeline shows the principal and the reason.',
  }),
];
