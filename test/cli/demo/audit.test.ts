import { expect, test } from 'vitest';
import type { Agreement } from '../../../cli/api/client.js';
import type { LedgerEntry, ProviderState } from '../../../cli/api/answers.schema.js';
import { audit } from '../../../cli/demo/audit.js';
import { differencesIn, jsonReport, textReport, type Findings } from '../../../cli/demo/report.js';
import type { Intent, Scene } from '../../../cli/demo/scene.js';

const INTENTS: Intent[] = [
  { kind: 'agreement', uid: 'agr', agreementUid: 'agr', expected: 'active' },
  { kind: 'payment', uid: 'pay', agreementUid: 'agr', expected: 'settled' },
];
const links = { temporal_ui: null };
const at = '2026-10-01T01:00:00.000Z';

const webhook = (uid: string, status: number | 'lost'): LedgerEntry => ({
  seq: 1,
  at,
  kind: 'webhook',
  resource_uid: uid,
  status,
});
const accepted = (uid: string): LedgerEntry => ({
  seq: 1,
  at,
  kind: 'call',
  operation: 'create_payment',
  status: 201,
  resource_uid: uid,
});
const settled = (uid: string): LedgerEntry => ({
  seq: 1,
  at,
  kind: 'change',
  resource_uid: uid,
  to: 'settled',
  event_id: null,
  event_type: null,
});
const token = (grantType: string, outcome = 'issued'): LedgerEntry => ({
  seq: 1,
  at,
  kind: 'token',
  grant_type: grantType,
  outcome,
});

const GOOD: LedgerEntry[] = [
  token('authorization_code'),
  webhook('agr', 'lost'),
  accepted('pay'),
  settled('pay'),
  webhook('pay', 'lost'),
  token('refresh_token'),
];

interface World {
  ledger: LedgerEntry[];
  provider: ProviderState;
  here: Agreement['state'];
  submissions: number;
}

function sceneOf(given: Partial<World> = {}): Scene {
  const { ledger = GOOD, provider = providerWith(), here = 'active', submissions = 1 } = given;
  const never = () => Promise.reject(new Error('not part of the check'));
  return {
    temporalAddress: '',
    logStep: () => undefined,
    api: {
      url: '',
      beginConnection: never,
      getConnection: never,
      createAgreement: never,
      requestPayment: never,
      getAgreement: (uid) => Promise.resolve({ uid, state: here, attention: [], links }),
      getTimeline: () => Promise.resolve([{ type: 'activated', state: null, source: 'history' }]),
      listPayments: () => Promise.resolve(['pay']),
      getPayment: (uid) => Promise.resolve({ uid, state: 'settled', submissions, links }),
    },
    provider: {
      scriptPayer: never,
      delaySettlement: never,
      scriptPayment: never,
      actAsPayer: never,
      activateClient: never,
      loseWebhooks: never,
      advance: never,
      setClock: never,
      payInto: never,
      loseEntry: never,
      omitFromReport: never,
      clearFaults: never,
      state: () => Promise.resolve(provider),
      ledger: () => Promise.resolve(ledger),
    },
  };
}

const providerWith = (more: ProviderState['payments'] = []): ProviderState => ({
  now: at,
  clients: [],
  counterparties: [],
  float_accounts: [],
  agreements: [{ uid: 'agr', state: 'active' }],
  payments: [{ uid: 'pay', agreement_uid: 'agr', state: 'settled' }, ...more],
});

const check = async (given: Partial<World> = {}) => audit(sceneOf(given), INTENTS, 'agr');

test('reports no difference if both sides agree', async () => {
  const { differences, agreements, tokens } = await check();
  expect(differences).toEqual([]);
  expect(agreements).toMatchObject([
    { uid: 'agr', receivedBy: 'history', payments: [{ uid: 'pay', settlements: 1 }] },
  ]);
  expect(tokens).toEqual({ byConsent: 1, byRefresh: 1 });
});

test.each<[string, Partial<World>, string]>([
  [
    'a payment with an unexpected uid',
    { provider: providerWith([{ uid: 'twin', agreement_uid: 'agr', state: 'settled' }]) },
    'the provider: expected only the requested resources, also found twin',
  ],
  [
    'a payment settled twice',
    { ledger: [...GOOD, settled('pay')] },
    'settlements of payment pay: expected 1, found 2',
  ],
  [
    'a payment accepted twice',
    { ledger: [...GOOD, accepted('pay')] },
    'payment pay accepted by the provider: expected 1, found 2',
  ],
  ['a payment sent twice', { submissions: 2 }, 'submissions of payment pay: expected 1, found 2'],
  ['a different state', { here: 'created' }, 'agreement agr in our workflow: expected active, found created'],
  [
    'a refresh token used twice',
    { ledger: [...GOOD, token('refresh_token', 'refresh_token_reused')] },
    'token calls: expected none refused, found refresh_token_reused',
  ],
  [
    'the arrival of a webhook meant to be lost',
    { ledger: [...GOOD, webhook('agr', 200)] },
    'webhooks of agr: expected all to be lost, found lost, 200',
  ],
])('reports %s', async (_, given, difference) => {
  expect((await check(given)).differences).toContain(difference);
});

test('memory above its limit is a difference in both reports', async () => {
  const findings: Findings = {
    scenarios: [{ uid: 'agr', title: 'a story', intents: INTENTS, startedMs: 0, seconds: 1.5 }],
    audit: await check(),
    latency: { samples: 100, p50Ms: 12, p99Ms: 34 },
    memory: [{ process: 'worker', residentMb: 451, limitMb: 450 }],
    seconds: 30,
  };
  expect(differencesIn(findings)).toEqual(['memory of worker: expected less than 450 MB, found 451 MB']);
  expect(jsonReport(findings)).toMatchObject({ ok: false, webhook_to_visible_ms: { p50: 12, p99: 34 } });
  expect(textReport(findings)).toContain('Differences:\n  memory of worker');
  expect(textReport(findings)).toMatch(
    /agr +│ a story +│ active +│ active +│ history +│ pay settled ×1 │ 1\.5 s/,
  );
});
