import { contract, endpoint, json } from '../../http/contract.js';
import { OnboardingsQuery } from '../../http/list-parameters.schema.js';
import { LIST, ONE_PAGE, answerOf } from '../list.js';
import { OnboardingsAnswer, onboardingAnswer } from './answer.schema.js';

const stated = contract({
  ...LIST,
  path: '/v1/onboardings',
  operationId: 'listOnboardings',
  tags: ['onboardings'],
  summary: 'List onboardings by step, pending event or attention flag',
  request: { query: OnboardingsQuery },
  answers: { 200: json(ONE_PAGE, OnboardingsAnswer) },
});

export const listOnboardings = endpoint(stated, (dependencies) => async (c) => {
  const query = c.req.valid('query');
  const { onboardings } = dependencies.temporal;
  const read = onboardings.list;
  return c.json(await answerOf(dependencies, 'onboardings', query, { read, answer: onboardingAnswer }), 200);
});
