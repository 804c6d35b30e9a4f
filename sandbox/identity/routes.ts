// Calls about the caller.
import { operation, type Registration } from '../calls/operation.js';
import { consenterOf } from '../tokens/consenters.js';

// GET /ping: tests the connection and the token.
const ping = operation({ name: 'ping', method: 'GET', path: '/ping', scope: null }, () => ({
  status: 200,
  body: { ping: 'pong' },
}));

// GET /user: the consenting user and their account. The answer has no id; callers recognise an account by its nickname and ABN.
const getUser = operation({ name: 'get_user', method: 'GET', path: '/user', scope: null }, ({ grant }) => {
  return { status: 200, body: { data: consenterOf(grant.consenter) } };
});

export const IDENTITY_ROUTES: readonly Registration[] = [ping, getUser];
