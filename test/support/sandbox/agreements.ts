import { randomInt } from 'node:crypto';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Answer, Caller, Fields } from './caller.js';
import { aCounterparty, aPaymentAccount } from './clients.js';
import { anAgreement, dayFromNow } from './requests.js';
import { anActiveAgreement, anIgnoredAgreement, type World } from './world.js';

const VERSION = 'Service-API-Version';
export const LEGACY: Fields = { [VERSION]: '20260101' };
export const FIVE_DAYS = 5 * 24 * 60 * 60;

export function aDebtor() {
  const value = `200001-${randomInt(100_000_000, 899_999_999)}`;
  return { party_name: 'A Payer', account_identifier: { type: 'bban', value } };
}

const Counterparty = z.object({ payment_accounts: z.array(z.object({ uid: z.string() })) });

export async function aRegisteredAccount(
  { caller }: { caller: Caller },
  value = '200001-12340001',
): Promise<string> {
  const payment_accounts = [aPaymentAccount({ account_identifier: { type: 'bban', value } })];
  const { data } = await caller.post('/counterparties', aCounterparty({ payment_accounts }));
  return Counterparty.parse(data).payment_accounts[0]?.uid ?? '';
}

export const SITUATIONS = [
  'pending',
  'created',
  'active',
  'suspended by initiator',
  'suspended by debtor',
  'suspended by zepto_system',
  'declined',
  'expired',
  'cancelled',
  'failed',
] as const;
export type Situation = (typeof SITUATIONS)[number];

const ENDS = {
  declined: 'debtor_decline',
  expired: 'expire',
  failed: 'agreement_service_unavailable',
} as const;

export async function anAgreementIn(world: World, situation: Situation): Promise<string> {
  switch (situation) {
    case 'pending': {
      const request = anAgreement();
      world.control.scriptPayer(request.uid, { simulate: ENDS.failed, delay: 86_400 });
      await world.caller.post('/payto/agreements', request);
      return request.uid;
    }
    case 'created':
      return anIgnoredAgreement(world);
    case 'declined':
    case 'expired':
    case 'failed':
      return anActiveAgreement(world, { sandbox: { simulate: ENDS[situation] } });
    case 'active':
      return anActiveAgreement(world);
    default: {
      const uid = await anActiveAgreement(world);
      await TURNED[situation](world, uid);
      return uid;
    }
  }
}

type Turned = Exclude<Situation, 'pending' | 'created' | 'active' | keyof typeof ENDS>;

const TURNED: Record<Turned, (world: World, uid: string) => Promise<void> | void> = {
  'suspended by initiator': async (world, uid) => {
    await sendAction(world, uid, 'suspension');
    await world.control.advance(1);
  },
  'suspended by debtor': ({ control }, uid) => {
    control.actAsPayer(uid, 'suspend');
  },
  'suspended by zepto_system': ({ control }, uid) => {
    control.actAsService(uid, 'service_suspend');
  },
  cancelled: ({ control }, uid) => {
    control.actAsPayer(uid, 'cancel');
  },
};

export const stateIn = (situation: Situation): string => situation.split(' ')[0] ?? '';

const BODIES = {
  suspension: { reason: 'initiating_party_requested', narrative: 'On holiday' },
  cancellation: { reason: 'customer_requested', narrative: 'Moved out' },
  reactivation: {},
};
type Action = keyof typeof BODIES;

export const agreementPath = (uid: string, ...parts: string[]): string =>
  ['/payto/agreements', uid, ...parts].join('/');

export function sendAction(
  { caller }: { caller: Caller },
  uid: string,
  action: Action,
  overrides: object = {},
): Promise<Answer> {
  return caller.post(agreementPath(uid, action), { ...BODIES[action], ...overrides });
}

export async function agreementOf({ caller }: { caller: Caller }, uid: string): Promise<Answer['data']> {
  return (await caller.get(agreementPath(uid))).data;
}

export async function stateOf(world: { caller: Caller }, uid: string): Promise<string | undefined> {
  return (await agreementOf(world, uid)).state;
}

export async function historyOf({ caller }: { caller: Caller }, uid: string) {
  const { list } = await caller.get(agreementPath(uid, 'history'));
  return list.toReversed().map(({ type, body }) => ({
    type: String(type).replace('payto_agreement.', ''),
    body,
  }));
}

const A_TEXT: unknown = expect.any(String);

export const aReason = (code: string, narrative: string | null = null) => ({
  code,
  title: A_TEXT,
  detail: A_TEXT,
  narrative,
});

export function aFailure(code?: string) {
  const schemes: unknown = expect.stringMatching(/^MMS\.API\.9\d{3}$/);
  return { failure: { code: code ?? schemes, title: A_TEXT, detail: A_TEXT } };
}

export function verdict({ status, errors }: Answer): string | number {
  return status === 422 ? (errors[0]?.code ?? 'no code') : status;
}

export function changesOf({ control }: World, resourceType: string) {
  return control
    .ledger()
    .flatMap((entry) =>
      entry.kind === 'change' && entry.resource_type === resourceType
        ? [[entry.from, entry.to, entry.event_type?.replace('payto_agreement.', '') ?? null]]
        : [],
    );
}

export const NEW_TERMS = { payment_terms: { max_amount: 40_000 } };
export const NEW_TEXT = { description: 'Plan 78' };

export function amend(
  { caller }: Pick<World, 'caller'>,
  uid: string,
  changes: object,
  { headers = {}, ...rest }: { headers?: Fields; [field: string]: unknown } = {},
): Promise<Answer> {
  return caller.post(agreementPath(uid, 'amendment'), { changes, ...rest }, headers);
}

export function recall({ caller }: Pick<World, 'caller'>, uid: string, body: object = {}): Promise<Answer> {
  return caller.post(agreementPath(uid, 'amendment', 'recall'), body);
}

export async function amendmentOf({ caller }: Pick<World, 'caller'>, uid: string): Promise<Answer> {
  return caller.get(agreementPath(uid, 'amendment'));
}

export async function anAwaitedAmendment(world: World, changes: object = NEW_TERMS): Promise<string> {
  const uid = await anActiveAgreement(world, { validity_end_date: dayFromNow(400) });
  world.control.scriptAction(uid, { action: 'amendment', simulate: 'ignore' });
  await amend(world, uid, changes);
  await world.control.advance(1);
  return uid;
}
