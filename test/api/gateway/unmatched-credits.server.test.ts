import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { deliverCredit } from '../../../delivery/credits.js';
import { creditIn } from '../../../domain/float/credit.js';
import { anApi, get, post } from '../../support/api/app.js';
import { A_CREDIT, problemIn } from '../../support/api/builders.js';
import { useDoor } from '../../support/api/gateway.js';
import { eventually } from '../../support/temporal.js';
import { only } from '../../support/workflows/provider.js';

const { temporal, withDoor } = useDoor(
  only({ confirmCredit: ({ uid }) => Promise.resolve({ joined: `entry-of-${uid}`, decideWithinMs: 1 }) }),
);

test('a joined case names the case to decide, and refuses every decision', async () => {
  await withDoor(async ({ unmatchedCredits }) => {
    const api = anApi();
    api.door.unmatchedCredits.view.mockImplementation(unmatchedCredits.view);
    api.door.unmatchedCredits.resolve.mockImplementation(unmatchedCredits.resolve);
    const fact = { ...A_CREDIT, id: randomUUID() };
    const credit = creditIn(fact);
    if (credit === undefined) throw new Error('expected a credit');
    const to = { client: temporal.client, taskQueue: temporal.taskQueue };
    await deliverCredit(to, credit, fact);
    const path = `/v1/unmatched-credits/${fact.id}`;
    await eventually(
      () => unmatchedCredits.view(fact.id),
      (view) => view?.state === 'joined',
    );
    const other = `entry-of-${fact.id}`;
    expect(await (await get(api, path)).json()).toMatchObject({
      data: { state: 'joined', joined_to: other, resolution: null, attention: [], possible_duplicates: [] },
    });
    for (const decision of ['kept', 'returned', 'ignored']) {
      const answer = await post(api, `${path}/resolution`, { decision, reason: 'Because.' });
      expect(await problemIn(answer)).toMatchObject({
        ...{ status: 409, code: 'credit_resolved' },
        detail: `The case ${other} has the entry of this credit. Decide that one.`,
      });
    }
    expect(await deliverCredit(to, credit, fact)).toBe('known');
  });
});
