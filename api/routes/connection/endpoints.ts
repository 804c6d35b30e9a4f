import { CONNECTION_STATUSES } from '../../../workflows/connection/contract.js';
import type { Endpoint } from '../../http/contract.js';
import { listQuery } from '../../http/list-parameters.schema.js';
import { getOf, listOf } from '../resource.js';
import { CONNECTION } from './answer.schema.js';
import { beginConsent, showConsent } from './begin-consent.js';
import { completeConsent } from './complete-consent.js';
import { confirmConnection } from './confirm.js';
import { createConnection } from './create.js';
import { reauthoriseConnection } from './reauthorise.js';
import { revokeConnection } from './revoke.js';

export const connectionEndpoints: readonly Endpoint[] = [
  createConnection,
  listOf(CONNECTION, {
    summary: 'List connections by status or attention flag',
    description:
      'Use it to find the merchants who must consent again (`state=needs_reauthorisation`), or connections with a flag. `authorize_url` is null here.',
    task: 'custody.md#read-a-connection',
    query: listQuery(CONNECTION_STATUSES),
  }),
  getOf(CONNECTION, {
    summary: 'Get a connection, its health and the next action',
    description:
      'Poll it after you have sent the link: `status` is `healthy` once the consent counts, and `next` names what a person should do. ' +
      '`authorize_url` is null here: get a new link with `POST /v1/connections/{id}/reauthorisation`.',
    task: 'custody.md#read-a-connection',
    answered: 'The connection as its workflow has it now.',
  }),
  reauthoriseConnection,
  confirmConnection,
  revokeConnection,
  showConsent,
  beginConsent,
  completeConsent,
];
