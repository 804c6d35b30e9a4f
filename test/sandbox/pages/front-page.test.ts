import { expect, test } from 'vitest';
import { anAgreement, aPayment } from '../../support/sandbox/requests.js';
import { anActiveAgreement, anIgnoredAgreement, aWorld } from '../../support/sandbox/world.js';

const fetchPage = async (url: string): Promise<string> => (await fetch(url)).text();

test('shows what there is, escaped, with what the payer can do', async () => {
  const world = await aWorld();
  const uid = await anIgnoredAgreement(world, { description: '<b>Plan</b>' });
  const page = await fetchPage(world.url);
  expect(page).toContain(uid);
  expect(page).toContain('&lt;b&gt;Plan&lt;/b&gt;');
  expect(page).not.toContain('<b>Plan');
  expect(page).toContain(`data-path="/_control/agreements/${uid}/payer"`);
  expect(page).toContain('data-body="{&quot;action&quot;:&quot;accept&quot;}"');
  expect(page).not.toContain('{&quot;action&quot;:&quot;suspend&quot;}');
});

test('says in words where there is nothing', async () => {
  const { url } = await aWorld();
  const page = await fetchPage(url);
  for (const texts of [
    'No agreement yet',
    'No payment yet',
    'No refund yet',
    'Nothing has been sent',
    'no fault is switched on',
  ]) {
    expect(page).toContain(texts);
  }
});

test('shows payments, refunds, clients, float accounts and deliveries with their states and amounts', async () => {
  const world = await aWorld();
  const agreement = await anActiveAgreement(world);
  const payment = aPayment(agreement, { amount: 20_000 });
  await world.caller.post('/payto/payments', payment);
  await world.control.advance(2);
  const [account] = world.control.state().float_accounts;
  await world.caller.post('/payto/refunds', {
    uid: 'ref-1',
    original_payment_uid: payment.uid,
    refund_payment: {
      type: 'float_bank_payment',
      float_bank_account_id: account?.id,
      amount: 150,
      description: 'REFUND part',
    },
  });
  await world.control.advance(60);
  const page = await fetchPage(world.url);
  const texts = [
    '$200.00',
    '$1.50',
    '$198.50',
    'ref-1',
    'processed',
    'Sandbox Biller Pty Ltd',
    'payto_payment.settled',
  ];
  for (const word of texts) expect(page).toContain(word);
});

test('loads nothing from elsewhere and is held to it', async () => {
  const { url } = await aWorld();
  const response = await fetch(url);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
  expect(await response.text()).not.toMatch(/(src|href)="(https?:)?\/\//);
});

test('shows a hundred of each kind and how many there are', async () => {
  const world = await aWorld();
  world.control.setLimits({ agreements_per_debtor_per_day: 10_000 });
  const creations = Array.from({ length: 101 }, () => world.caller.post('/payto/agreements', anAgreement()));
  expect((await Promise.all(creations)).every(({ status }) => status === 201)).toBe(true);
  await world.control.advance(2);
  const page = await fetchPage(world.url);
  expect(page.match(/showing 100 of 101/g)).toHaveLength(2);
  expect(page.match(/aria-label="Suspend: agr-/g)).toHaveLength(100);
});
