// What backends plan: a plan is taken whole or refused whole, with a pointer at what is wrong in it.
import { expect, test } from 'vitest';
import { anApi } from '../../support/api/app.js';
import { problemIn } from '../../support/api/builders.js';
import type { Api } from '../../support/api/app.js';

const put = async ({ app }: Api, schedule: object) =>
  app.request('/v1/agreements/agr-1/plan', {
    method: 'PUT',
    headers: { authorization: 'Bearer key-all', 'content-type': 'application/json' },
    body: JSON.stringify({ schedule }),
  });
const on = (...dates: string[]) => ({ dates: dates.map((date) => ({ date, amount: 100 })) });

test.each<[string, object, string]>([
  [
    'a date that does not exist',
    on('2027-01-01', '2027-01-02', '2027-01-03', '2027-02-30'),
    '/schedule/dates/3/date',
  ],
  ['a date before the one before it', on('2027-01-02', '2027-01-01'), '/schedule/dates/1/date'],
  ['more than 400 dates', on(...Array.from({ length: 401 }, () => '2027-01-01')), '/schedule/dates'],
  [
    'a series from a date that does not exist',
    { every: 'monthly', from: '2027-02-30', amount: 100 },
    '/schedule/from',
  ],
  ['neither a series nor dates', { amount: 100, on: 'mondays' }, '/schedule'],
])('%s is refused whole, and nothing is sent', async (_what, schedule, pointer) => {
  const api = anApi();
  const problem = await problemIn(await put(api, schedule));
  expect(problem).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ pointer }] });
  expect(api.door.agreements.putPlan).not.toHaveBeenCalled();
});
