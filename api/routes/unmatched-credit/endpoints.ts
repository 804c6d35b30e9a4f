// Unmatched credits: list, get with candidates, and resolve.
import { CREDIT_STATES } from '../../../domain/float/credit.js';
import { ResolveCredit } from '../../../domain/float/resolution.schema.js';
import type { UnmatchedCreditView } from '../../../workflows/unmatched-credit/contract.js';
import type { Gateway } from '../../gateway/create.js';
import { READ, bodyOf, contract, endpoint, json, type Endpoint } from '../../http/contract.js';
import { amounts, listQuery, sort } from '../../http/list-parameters.schema.js';
import { UidParams } from '../../http/parameters.schema.js';
import { ApiError, found } from '../../http/problems/errors.js';
import { answerOf, listOf } from '../resource.js';
import {
  UNMATCHED_CREDIT,
  UnmatchedCreditDetailAnswer,
  candidateAnswer,
  unmatchedCreditAnswer,
} from './answer.schema.js';

const got = contract({
  ...READ,
  path: '/v1/unmatched-credits/{uid}',
  operationId: 'getUnmatchedCredit',
  tags: ['float accounts'],
  summary: 'Get an unmatched credit with the payments and agreements that it may be for',
  description:
    'Call this to find what an unmatched credit is for, after `credit.unmatched` or `credit.confirmed`. ' +
    'It shows up to ten payments and agreements that may explain it, with reasons, and other cases that may be the same credit. They are proposals: a person decides. ' +
    'While `state` is `unconfirmed`, only a notification names the credit; do not treat the money as received.',
  task: 'float.md#find-unmatched-credits',
  connection: 'unmatched-credit',
  request: { params: UidParams },
  answers: { 200: json('The credit, with proposals for a decision.', UnmatchedCreditDetailAnswer) },
});

const resolved = contract({
  method: 'post',
  path: '/v1/unmatched-credits/{uid}/resolution',
  operationId: 'resolveUnmatchedCredit',
  tags: ['float accounts'],
  summary: 'Decide what an unmatched credit is (idempotent)',
  description:
    'Call this once you have found what the credit is. It ends the case and sends `credit.decided`. ' +
    'It moves no money and calls nothing at the provider: return a credit there first. ' +
    'A decision is final. A repeat with the same decision changes nothing; another one is refused with 409 `credit_resolved`. ' +
    'A case that is `unconfirmed` can only be ignored, and a `joined` one refuses every decision: decide the case in `joined_to`.',
  task: 'float.md#decide-an-unmatched-credit',
  access: 'operate',
  connection: 'unmatched-credit',
  request: { params: UidParams, body: bodyOf(ResolveCredit) },
  answers: { 200: json('The decision is stored, and the case has ended.', UNMATCHED_CREDIT.one) },
  problems: [404, 409, 410, 422, 429, 503],
});

const getUnmatchedCredit = endpoint(got, ({ temporal, temporalUi }) => async (c) => {
  const view = found(await temporal.unmatchedCredits.view(c.req.valid('param').uid), UNMATCHED_CREDIT.what);
  const candidates = await candidatesOf(temporal, view);
  const data = {
    ...unmatchedCreditAnswer(temporalUi, view),
    candidates: candidates?.map(candidateAnswer) ?? null,
    possible_duplicates: (await duplicatesOf(temporal, view)) ?? null,
  };
  return c.json({ data }, 200);
});

const resolveUnmatchedCredit = endpoint(resolved, (dependencies) => async (c) => {
  const { temporal } = dependencies;
  const { uid } = c.req.valid('param');
  const { payment_uid: paymentUid, agreement_uid: agreementUid, ...given } = c.req.valid('json');
  const before = found(await temporal.unmatchedCredits.view(uid), UNMATCHED_CREDIT.what);
  await assertMatchable(temporal, before, { paymentUid, agreementUid });
  const resolution = { ...given, paymentUid, agreementUid, by: c.get('principal') };
  const view = await temporal.unmatchedCredits.resolve(uid, resolution);
  return c.json(await answerOf(UNMATCHED_CREDIT, dependencies, c, view), 200);
});

/** Candidates help a person, so the case is also shown without them. */
async function candidatesOf(
  { unmatchedCredits }: Pick<Gateway, 'unmatchedCredits'>,
  { connectionId, amount, receivedAt, report }: UnmatchedCreditView,
) {
  if (connectionId === undefined || amount === undefined || receivedAt === undefined) return undefined;
  const texts = [report?.description, report?.reference].filter((text) => text !== undefined);
  const sought = { connectionId, amount, receivedAt, texts, payerAccount: report?.payerAccount };
  return ifThere(unmatchedCredits.candidates(sought));
}

/** A joined case has none: the other one has its entry. */
async function duplicatesOf(
  { unmatchedCredits }: Pick<Gateway, 'unmatchedCredits'>,
  { uid, accountUid, state, amount, receivedAt, report, entry }: UnmatchedCreditView,
) {
  if (amount === undefined || receivedAt === undefined || state === 'joined') return [];
  const texts = { reference: report?.reference, description: report?.description };
  const compared = { uid, accountUid, amount, receivedAt, entryId: entry?.id, texts };
  return ifThere(unmatchedCredits.duplicates(compared));
}

const ifThere = <T>(read: Promise<T>): Promise<T | undefined> =>
  read.catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'records_unavailable') return undefined;
    throw error;
  });

/** @throws ApiError `no_such_match` unless the payment or agreement belongs to the connection of the credit. */
async function assertMatchable(
  { payments, agreements }: Pick<Gateway, 'payments' | 'agreements'>,
  { connectionId }: UnmatchedCreditView,
  { paymentUid, agreementUid }: { paymentUid: string | undefined; agreementUid: string | undefined },
): Promise<void> {
  const refuse = (field: string, what: string, uid: string): never => {
    const detail = `expected ${what} of the credit’s connection; found none with ${uid}`;
    throw new ApiError('no_such_match', `There is no such ${what} to match.`, {
      errors: [{ pointer: `/${field}`, detail }],
    });
  };
  if (paymentUid !== undefined) {
    const payment = await payments.view(paymentUid);
    if (payment === undefined || (connectionId !== undefined && payment.connectionId !== connectionId))
      refuse('payment_uid', 'payment', paymentUid);
  }
  if (agreementUid !== undefined) {
    const agreement = await agreements.view(agreementUid);
    if (agreement === undefined || (connectionId !== undefined && agreement.connectionId !== connectionId))
      refuse('agreement_uid', 'agreement', agreementUid);
  }
}

export const unmatchedCreditEndpoints: readonly Endpoint[] = [
  listOf(UNMATCHED_CREDIT, {
    summary: 'List credits that the provider could not match, by state, attention flag or amount',
    description: 'Use it with `state=open` to find the credits that wait for a decision.',
    task: 'float.md#find-unmatched-credits',
    query: listQuery(CREDIT_STATES, { ...amounts, sort: sort(['created', 'amount']) }),
  }),
  getUnmatchedCredit,
  resolveUnmatchedCredit,
];
