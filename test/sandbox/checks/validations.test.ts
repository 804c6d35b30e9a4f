import { expect, test } from 'vitest';
import { aValidation, simulating } from '../../support/sandbox/requests.js';
import { aWorld } from '../../support/sandbox/world.js';

const PATH = '/cop/account/validate';

test.each(['match', 'no_account_found', 'rate_limited', 'requester_daily_request_limit_exceeded'])(
  'a validation that ends with %s uses up its uid',
  async (simulate) => {
    const { caller } = await aWorld();
    const request = aValidation(simulating(simulate));
    await caller.post(PATH, request);
    const again = await caller.post(PATH, aValidation({ uid: request.uid }));
    expect(again).toMatchObject({ status: 422, errors: [{ title: 'Validation Failed' }] });
    expect(again.errors[0]).not.toHaveProperty('code');
  },
);
