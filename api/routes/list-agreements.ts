// In:  GET /v1/agreements.
// Out: api/temporal/door.ts lists agreements by their search attributes.
import { AgreementsAnswer, summaryAnswer } from '../answers/agreement.schema.js';
import { contract, endpoint, json } from '../contract.js';
import { nextPage } from '../links.js';
import { openCursor, sealCursor } from '../paging.js';
import { AgreementsQuery } from '../schemas/parameters.schema.js';

const stated = contract({
  method: 'get',
  path: '/v1/agreements',
  operationId: 'listAgreements',
  tags: ['agreements'],
  summary: 'Agreements by state, by what they wait for, by what needs an operator',
  access: 'read',
  connection: 'query',
  request: { query: AgreementsQuery },
  answers: { 200: json('One page, the newest first.', AgreementsAnswer) },
  problems: [503],
});

export const listAgreements = endpoint(stated, ({ temporal, temporalUi, keyring }) => async (c) => {
  const { cursor, ...query } = c.req.valid('query');
  const page = await temporal.agreements.list({ ...query, cursor: openCursor(keyring, cursor) });
  const data = page.agreements.map((listed) => summaryAnswer(temporalUi, listed));
  return c.json({ data, links: nextPage('/v1/agreements', query, sealCursor(keyring, page.next)) }, 200);
});
