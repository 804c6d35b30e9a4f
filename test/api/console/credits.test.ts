import { expect, test } from 'vitest';
import { ApiError } from '../../../api/http/problems/errors.js';
import { signedIn } from '../../support/api/browsers.js';
import { KEYS, anApi, type Api } from '../../support/api/app.js';
import { aPaymentView, anUnmatchedCreditView } from '../../support/api/builders.js';

const PAGE = '/console/unmatched-credits/credit-1';
const MATCH = `${PAGE}/commands/matched`;

const OPEN = {
  state: 'open',
  ...{ amount: 700, receivedAt: '2026-10-01T01:00:00.000Z', connectionId: 'acme' },
} as const;

/** A credit that waits for a decision, with one candidate of another amount. */
function anOpenCredit(): Api {
  const api = anApi();
  api.door.unmatchedCredits.view.mockResolvedValue(anUnmatchedCreditView(OPEN));
  api.door.unmatchedCredits.candidates.mockResolvedValue([
    { kind: 'payment', uid: 'pay-1', state: 'failed', amount: 750, reasons: ['reference', 'time'] },
  ]);
  api.door.unmatchedCredits.duplicates.mockResolvedValue([{ kind: 'case', uid: 'credit-2' }]);
  return api;
}

test('a credit is one sentence, with candidates, possible duplicates and links to the decisions', async () => {
  const page = await (await signedIn(anOpenCredit())).page(PAGE);
  expect(page).toContain(
    '$7.00 arrived on 1 October 2026, and the provider could not match it. It waits for a decision.',
  );
  expect(page).toContain('Proposed because of: a text of the credit has its reference; requested at most');
  expect(page).toContain(`href="${MATCH}?payment_uid=pay-1"`);
  expect(page).toContain('href="/console/unmatched-credits/credit-2"');
});

test('the name and account of the payer need the scope personal', async () => {
  const api = anOpenCredit();
  const pageFor = async (key: string) => (await signedIn(api, key)).page(PAGE);
  expect(await pageFor(KEYS.readPersonal)).toMatch(/Mary Payer.*200001-12340001/s);
  expect(await pageFor(KEYS.all)).not.toMatch(/Mary Payer|12340001/);
});

test('a decision shows its effect and the candidate first, then does what the API does', async () => {
  const api = anOpenCredit();
  api.door.payments.view.mockResolvedValue(aPaymentView({ connectionId: 'acme' }));
  const person = await signedIn(api);
  const form = await person.page(`${MATCH}?payment_uid=pay-1`);
  expect(form).toContain('value="pay-1"');
  expect(form).toMatch(/Payment pay-1: failed, \$7\.50.*The amounts differ.*<button>Match/s);
  const decided = { key: 'k-1', payment_uid: 'pay-1', agreement_uid: '', reason: 'Call 7' };
  const answer = await person.send(MATCH, decided);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${PAGE}?done=matched`]);
  expect(api.door.unmatchedCredits.resolve.mock.lastCall).toEqual([
    'credit-1',
    { decision: 'matched', paymentUid: 'pay-1', agreementUid: undefined, reason: 'Call 7', by: KEYS.all },
  ]);
});

test('a match needs a payment or an agreement, and keeps what was typed', async () => {
  const api = anOpenCredit();
  const answer = await (await signedIn(api)).send(MATCH, { key: 'k-1', reason: 'Call 7' });
  expect(answer.status).toBe(422);
  expect(await answer.text()).toMatch(/Write the uid of a payment or of an agreement.*value="Call 7"/s);
  expect(api.door.unmatchedCredits.resolve).not.toHaveBeenCalled();
});

test.each([
  [
    'credit_resolved',
    'The case was resolved as kept.',
    'the case has ended already. The case was resolved as kept.',
  ],
  ['credit_unconfirmed', 'No entry.', 'no entry of the float account confirms the credit yet'],
  ['no_such_match', 'No match.', 'the connection of the credit has no payment or agreement with this uid'],
] as const)('a decision that is refused with %s says why', async (code, detail, text) => {
  const api = anOpenCredit();
  api.door.unmatchedCredits.resolve.mockRejectedValue(new ApiError(code, detail));
  const form = { key: 'k-1', reason: 'Returned today' };
  const answer = await (await signedIn(api)).send(`${PAGE}/commands/returned`, form);
  expect(await answer.text()).toContain(text);
});

test('an unconfirmed credit can only be ignored, and a joined one names the other case', async () => {
  const api = anApi();
  const person = await signedIn(api);
  const page = await person.page(PAGE);
  expect(page).toContain('Do not treat the money as received.');
  expect(page).not.toContain('commands/kept');
  expect(page).toContain(`href="${PAGE}/commands/ignored"`);
  const joined = { state: 'joined', joined: { uid: 'credit-2', at: OPEN.receivedAt } } as const;
  api.door.unmatchedCredits.view.mockResolvedValue(anUnmatchedCreditView(joined));
  const other = await person.page(PAGE);
  expect(other).toMatch(/href="\/console\/unmatched-credits\/credit-2"/);
  expect(other).not.toContain('/commands/');
});

test('a credit of another connection looks like one that does not exist', async () => {
  const api = anOpenCredit();
  const [first] = api.keysNow;
  if (first !== undefined) api.keysNow.splice(0, 1, { ...first, connections: ['other'] });
  api.door.connectionOf.mockResolvedValue('acme');
  const answer = await (await signedIn(api)).get(PAGE);
  expect(answer.status).toBe(404);
  expect(await answer.text()).toContain('There is no unmatched credit with this uid');
});

test('a flag of a credit on the first page links to its case', async () => {
  const api = anOpenCredit();
  const flag = {
    code: 'credit_undecided',
    since: OPEN.receivedAt,
    detail: 'Waits.',
    next: 'Decide.',
  } as const;
  const items = [anUnmatchedCreditView({ ...OPEN, attention: [flag] })];
  api.door.unmatchedCredits.list.mockResolvedValue({ items, next: undefined });
  const person = await signedIn(api);
  expect(await person.page('/console')).toContain(`href="${PAGE}"`);
  expect(await person.page('/console/unmatched-credits')).toContain('credit undecided');
});
