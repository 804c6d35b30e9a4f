import type { Endpoint } from '../../http/contract.js';
import { AgreementsQuery } from '../../http/list-parameters.schema.js';
import { getOf, listOf, lookUpOf, resolveAttentionOf } from '../resource.js';
import { AGREEMENT } from './answer.schema.js';
import { commandAgreement } from './command.js';
import { createAgreement } from './create.js';

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
