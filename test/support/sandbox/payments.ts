import { randomUUID } from 'node:crypto';
import { sydneyTimestamp } from '../../../sandbox/time/sydney.js';
import type { Answer } from './caller.js';
import { aPayment } from './requests.js';
import { anActiveAgreement, aWorld, type World } from './world.js';

export const DAY_SECONDS = 24 * 60 * 60;

export const FLOAT_ID = '0195f1f0-7a11-7c00-8a00-f10a7acc0001';

export const ADHOC = { payment_terms: { type: 'variable', frequency: 'adhoc', max_amount: 25_000 } };

export const CREDITOR = {
  party_name: 'B Biller',
  ultimate_party_name: 'B Biller',
  account_identifier: { type: 'bban', value: '200002-55550001' },
};

export const nowMs = ({ control }: Pick<World, 'control'>): number => Date.parse(control.state().now);

export async function later(world: World, seconds: number): Promise<World> {
  await world.control.advance(seconds);
  return { ...world, caller: await world.newCaller() };
}

export function sydneyMs(day: string, time: string): number {
  const candidates = ['+10:00', '+11:00'].map((offset) => Date.parse(`${day}T${time}:00${offset}`));
  const shown = candidates.find((atMs) => sydneyTimestamp(atMs).startsWith(`${day}T${time}`));
  if (shown === undefined) throw new Error(`${day} ${time} does not exist in Sydney time`);
  return shown;
}

export async function at(world: World, atMs: number): Promise<World> {
  return later(world, (atMs - nowMs(world)) / 1000);
}

export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

export const today = (world: World): string => sydneyTimestamp(nowMs(world)).slice(0, 10);

export async function aWorldAtNoon(): Promise<World> {
  const world = await aWorld();
  return at(world, sydneyMs(plusDays(today(world), 1), '12:00'));
}

export async function pay(
  { caller }: Pick<World, 'caller'>,
  agreementUid: string,
  overrides: object = {},
): Promise<{ uid: string; answer: Answer }> {
  const request = aPayment(agreementUid, overrides);
  return { uid: request.uid, answer: await caller.post('/payto/payments', request) };
}

export async function anEndedPayment(
  world: Pick<World, 'caller' | 'control'>,
  agreementUid: string,
  overrides: object = {},
): Promise<string> {
  const { uid } = await pay(world, agreementUid, overrides);
  await world.control.advance(1);
  return uid;
}

export async function aSettledPayment(
  world: Pick<World, 'caller' | 'control'>,
  overrides: object = {},
): Promise<string> {
  return anEndedPayment(world, await anActiveAgreement(world), overrides);
}

export const paymentOf = async ({ caller }: Pick<World, 'caller'>, uid: string): Promise<Answer['data']> =>
  (await caller.get(`/payto/payments/${uid}`)).data;

export const codesOf = ({ status, errors }: Answer): unknown[] => [status, ...errors.map(({ code }) => code)];

export function aRefund(paymentUid: string, overrides: object = {}, payment: object = {}) {
  return {
    uid: `ref-${randomUUID()}`,
    original_payment_uid: paymentUid,
    refund_payment: {
      type: 'float_bank_payment',
      float_bank_account_id: FLOAT_ID,
      amount: 100,
      description: 'REFUND part',
      ...payment,
    },
    ...overrides,
  };
}

export function aPayoutAgreement(world: Pick<World, 'caller' | 'control'>): Promise<string> {
  return anActiveAgreement(world, {
    debtor: { party_name: 'B Biller', account_identifier: { type: 'bban', value: '200002-77770001' } },
    creditor: null,
    ...ADHOC,
  });
}
