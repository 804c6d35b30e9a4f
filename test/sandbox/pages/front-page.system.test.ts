import { describe, expect, test } from 'vitest';
import { isLeftOut } from '../../support/browser/launch.js';
import { openPage } from '../../support/open-page.js';
import { anAgreement } from '../../support/sandbox/requests.js';
import { anIgnoredAgreement, aWorld } from '../../support/sandbox/world.js';

const ALL_MS = 90_000;

describe.skipIf(isLeftOut)('in a browser', { timeout: ALL_MS }, () => {
  test('accepts an agreement, lets five days pass over another, and breaks the API and mends it', async () => {
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

    await page.getByRole('button', { name: 'Let five days pass' }).click();
    await row(ignored).filter({ hasText: 'expired' }).first().waitFor();
    expect(await row(ignored).getByRole('button').count()).toBe(0);
    expect(receiver.types()).toContain('payto_agreement.expired');

    const later = await world.newCaller();
    await page.getByLabel('Where').selectOption('get_agreement');
    await page.getByLabel('What').selectOption('error_503');
    await page.getByLabel('retry after seconds').fill('9');
    await page.getByRole('button', { name: 'Switch on', exact: true }).click();
    await row('error_503').waitFor();
    const broken = await later.get(`/payto/agreements/${accepted}`);
    expect([broken.status, broken.headers.get('retry-after')]).toEqual([503, '9']);

    await row('error_503').getByRole('button', { name: 'Switch off' }).click();
    await page.getByText('no fault is switched on').waitFor();
    expect((await later.get(`/payto/agreements/${accepted}`)).status).toBe(200);
    expect(errors).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(`${world.url}/`))).toEqual([]);
  });

  test('a fault can have a share, a number of times and a resource, and its place decides what can go wrong', async () => {
    const world = await aWorld();
    const { page } = await openPage(world.url);
    const actions = () => page.getByLabel('What').locator('optgroup:not([disabled]) option').allInnerTexts();
    expect(await actions()).toEqual(expect.arrayContaining(['slow', 'read_lag']));
    await page.getByLabel('Where').selectOption('token');
    expect(await actions()).toEqual(expect.arrayContaining(['slow', 'revoke_grant']));
    await page.getByLabel('Where').selectOption('webhook');
    expect(await actions()).toEqual(expect.not.arrayContaining(['slow', 'revoke_grant']));
    await page.getByLabel('What').selectOption('repeat');
    await page.getByLabel('copies').fill('3');
    await page.getByLabel('Of the calls, in %').fill('25');
    await page.getByRole('spinbutton', { name: 'Times' }).fill('4');
    await page.getByLabel('About the uid').fill('agr-7');
    await page.getByRole('button', { name: 'Switch on', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'repeat' }).waitFor();
    expect(world.control.state().faults).toMatchObject([
      { on: 'webhook', do: 'repeat', copies: 3, share: 0.25, times: 4, resource_uid: 'agr-7' },
    ]);
    await page.getByRole('button', { name: 'Switch all off' }).click();
    await page.getByText('no fault is switched on').waitFor();
  });

  test('the seed is seen and can be set', async () => {
    const world = await aWorld({ seed: 'first' });
    const { page } = await openPage(world.url);
    expect(await page.getByRole('main').innerText()).toContain('first');
    await page.getByLabel('Seed').fill('second');
    await page.getByRole('button', { name: 'Begin anew with it' }).click();
    await page.getByText('Done: begun anew with seed second').waitFor();
    expect(world.control.state().seed).toBe('second');
  });

  test('a refusal is said aloud, and the page goes on', async () => {
    const world = await aWorld();
    const uid = await anIgnoredAgreement(world);
    const { page } = await openPage(world.url);
    world.control.actAsPayer(uid, 'decline');
    await page.getByRole('button', { name: `Accept: ${uid}` }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'did not work' });
    await alert.waitFor();
    expect(await alert.innerText()).toContain(`cannot accept agreement ${uid}: it is declined`);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('row').filter({ hasText: 'declined' }).first().waitFor();
  });

  test('everything can be done by the keyboard, and the focus stays where it was', async () => {
    const world = await aWorld();
    const uid = await anIgnoredAgreement(world);
    const { page } = await openPage(world.url);
    const focused = () => page.evaluate('document.activeElement.ariaLabel || document.activeElement.id');
    for (let step = 0; step < 40 && (await focused()) !== 'Let an hour pass: the clock'; step += 1) {
      await page.keyboard.press('Tab');
    }
    const before = Date.parse(world.control.state().now);
    await page.keyboard.press('Enter');
    await page.getByText('Done: Let an hour pass').waitFor();
    expect(Date.parse(world.control.state().now) - before).toBeGreaterThanOrEqual(3_600_000);
    expect(await focused()).toBe('Let an hour pass: the clock');

    await page.getByRole('button', { name: `Cancel: ${uid}` }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'cancelled' }).first().waitFor();
    await page.getByText(`Done: Cancel: ${uid}`).waitFor();
    expect(await focused()).toBe('agreements');
  });

  test.each(['light', 'dark'] as const)(
    'at 400 px in %s nothing makes the page scroll sideways',
    async (colorScheme) => {
      const world = await aWorld();
      const uid = 'x'.repeat(64);
      await world.caller.post('/payto/agreements', anAgreement({ uid, description: 'y'.repeat(140) }));
      await world.control.advance(1);
      world.control.addFault({ on: 'webhook', do: 'batch', resource_uid: uid });
      const { page } = await openPage(world.url, { viewport: { width: 400, height: 800 }, colorScheme });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(400);
      const ground = String(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
      expect(ground).toBe(colorScheme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(18, 22, 31)');
      await page.getByRole('button', { name: `Suspend: ${uid}` }).click();
      await page.getByText('suspended').first().waitFor();
    },
  );

  test('every field has a name, and every button too', async () => {
    const { url } = await aWorld();
    const { page } = await openPage(url);
    const unnamed = await page.evaluate(
      `[...document.querySelectorAll('input, select, button')]
        .filter((it) => !it.labels?.length && !it.ariaLabel && !it.innerText.trim()).length`,
    );
    expect(unnamed).toBe(0);
  });
});
