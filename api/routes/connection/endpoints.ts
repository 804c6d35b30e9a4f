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
    query: listQuery(CONNECTION_STATUSES),
  }),
  getOf(CONNECTION, { summary: 'Get a connection, its health and the next action' }),
  reauthoriseConnection,
  confirmConnection,
  revokeConnection,
  showConsent,
  beginConsent,
  completeConsent,
];
