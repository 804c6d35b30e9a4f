import { describe, expect, test } from 'vitest';
import { isLeftOut, openPage } from '../../support/browser/launch.js';
import { anIgnoredAgreement, aWorld } from '../../support/sandbox/world.js';

const ALL_MS = 90_000;

describe.skipIf(isLeftOut)('front page in a browser', { timeout: ALL_MS }, () => {
  test('accepts an agreement, advances the clock, adds a fault and removes it', async () => {
    const world = await aWorld();
    const { control, caller, receiver } = world;
    const [accepted, ignored] = [await anIgnoredAgreement(world), await anIgnoredAgreement(world)];
    const { page, requests, errors } = await openPage(world.url);
    const row = (uid: string) => page.getByRole('row').filter({ hasText: uid });
    const status = page.getByRole('status');

    await row(accepted)
      .getByRole('button', { name: `Accept: ${accepted}` })
      .click();
    await row(accepted).filter({ hasText: 'active' }).first().waitFor();
    expect(await status.innerText()).toBe(`Done: Accept: ${accepted}`);
    expect((await caller.get(`/payto/agreements/${accepted}`)).data.state).toBe('active');
    await control.flushWebhooks();
    expect(receiver.types()).toEqual(['payto_agreement.activated']);

    await page.getByRole('button', { name: 'Advance 5 days' }).click();
    await row(ignored).filter({ hasText: 'expired' }).first().waitFor();
    expect(await row(ignored).getByRole('button').count()).toBe(0);
    expect(receiver.types()).toContain('payto_agreement.expired');

    const later = await world.newCaller();
    await page.getByLabel('Target').selectOption('get_agreement');
    await page.getByLabel('Fault type').selectOption('error_503');
    await page.getByLabel('retry after seconds').fill('9');
    await page.getByRole('button', { name: 'Add fault', exact: true }).click();
    await row('error_503').waitFor();
    const broken = await later.get(`/payto/agreements/${accepted}`);
    expect([broken.status, broken.headers.get('retry-after')]).toEqual([503, '9']);

    await row('error_503').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No active faults').waitFor();
    expect((await later.get(`/payto/agreements/${accepted}`)).status).toBe(200);
    expect(errors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(`${world.url}/`))).toEqual([]);
  });
});
