import { expect, test } from 'vitest';
import { ApiError } from '../../../../api/http/problems/errors.js';
import { anApi, get, type Api } from '../../../support/api/app.js';
import { anAgreementView, problemIn } from '../../../support/api/builders.js';
import type { PlanView } from '../../../../workflows/agreement/contract.js';

const refusing = anApi();

const PATH = '/v1/agreements/agr-1/plan';
const authorization = 'Bearer key-all';
const put = async ({ app }: Api, schedule: object) =>
  app.request(PATH, {
    method: 'PUT',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ schedule, retry: { attempts: 2, every_seconds: 3600 } }),
  });
const end = async ({ app }: Api) => app.request(PATH, { method: 'DELETE', headers: { authorization } });
const on = (...dates: string[]) => ({ dates: dates.map((date) => ({ date, amount: 100 })) });

function aPlanned(
  upcoming: PlanView['upcoming'] = [{ date: '2027-01-01', amount: 100, refusal: undefined }],
) {
  const api = anApi();
  const order = { agreement_uid: 'agr-1', priority: 'unattended' };
  const schedule = on('2027-01-01');
  const plan = {
    schedule,
    onMissed: 'skip' as const,
    onHoliday: 'same' as const,
    order,
    handling: { retry: { attempts: 2, everySeconds: 3600 } },
    since: '2026-10-01T01:00:00.000Z',
    by: 'key-all',
  };
  const shown = {
    ...plan,
    log: [],
    warnings: [],
    upcoming,
  };
  api.door.agreements.view.mockResolvedValue(anAgreementView({ plan: shown }));
  return { api, schedule, order };
}

test('PUT passes on the plan and its principal, and all methods return the plan', async () => {
  const { api, schedule, order } = aPlanned();
  const answers = [await put(api, schedule), await get(api, PATH), await end(api)];
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      data: {
        agreement: 'agr-1',
        state: 'active',
        schedule,
        retry: { attempts: 2, every_seconds: 3600 },
        upcoming: [{ date: '2027-01-01', next_business_day: '2027-01-04', forbidden: null }],
      },
    });
  }
  const handling = { retry: { attempts: 2, everySeconds: 3600 } };
  const asked = { schedule, onMissed: 'skip', onHoliday: 'same', order, handling, by: 'key-all' };
  expect(api.door.agreements.putPlan).toHaveBeenCalledExactlyOnceWith(
    'agr-1',
    expect.objectContaining(asked),
  );
  expect(api.door.agreements.endPlan).toHaveBeenCalledExactlyOnceWith('agr-1', { by: 'key-all' });
});

test('GET answers 404 for an agreement without a plan', async () => {
  expect((await get(refusing, PATH)).status).toBe(404);
});

test('a plan that breaks the terms is refused with a pointer to the date', async () => {
  const api = anApi();
  const pointer = '/schedule/dates/1/date';
  api.door.agreements.putPlan.mockRejectedValue(
    new ApiError('amount_over_maximum', 'On 2027-01-02: too much.', {
      errors: [{ pointer, detail: 'Too much.' }],
    }),
  );
  const problem = await problemIn(await put(api, on('2027-01-01', '2027-01-02')));
  expect(problem).toMatchObject({ status: 422, code: 'amount_over_maximum', errors: [{ pointer }] });
});

test.each<[string, object, string]>([
  [
    'a date that does not exist',
    on('2027-01-01', '2027-01-02', '2027-01-03', '2027-02-30'),
    '/schedule/dates/3/date',
  ],
  ['a date out of order', on('2027-01-02', '2027-01-01'), '/schedule/dates/1/date'],
  ['more than 400 dates', on(...Array.from({ length: 401 }, () => '2027-01-01')), '/schedule/dates'],
  [
    'a series with an invalid start date',
    { every: 'monthly', from: '2027-02-30', amount: 100 },
    '/schedule/from',
  ],
  ['no series and no dates', { amount: 100, on: 'mondays' }, '/schedule'],
])('a plan with %s is refused and not sent', async (_what, schedule, pointer) => {
  const problem = await problemIn(await put(refusing, schedule));
  expect(problem).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ pointer }] });
  expect(refusing.door.agreements.putPlan).not.toHaveBeenCalled();
});

test('an upcoming payment names the day on which it is taken, and the next business day after its date', async () => {
  const planned = { amount: 100, refusal: undefined };
  const moved = { ...planned, date: '2026-12-26', takenOn: '2026-12-29' };
  const { api } = aPlanned([{ ...planned, date: '2026-12-24' }, moved]);
  expect(await (await get(api, PATH)).json()).toMatchObject({
    data: {
      upcoming: [
        { date: '2026-12-24', taken_on: null, next_business_day: '2026-12-29' },
        { date: '2026-12-26', taken_on: '2026-12-29', next_business_day: '2026-12-29' },
      ],
    },
  });
});
