import { attemptsOf } from '../../domain/payment/attempts.js';
import { endOfSydneyDay, sydneyDayOf } from '../../domain/time/sydney.js';
import { AGREEMENT_UID, PAYING } from './terms.js';
import type { PaymentState } from '../../workflows/payment/state.js';
import type { ResourceState } from '../../workflows/resource/state.js';
import type { Attempt } from '../support/virtual-runtime.js';
import type { Chronicle } from './chronicle.js';
import type { Host } from './host.js';
import type { Employer } from './workers.js';

interface Accountant {
  chronicle: Chronicle;
  nowMs: () => number;
  note: (text: () => string) => void;
  isOver: () => boolean;
  isBarred: (uid: string | undefined) => boolean;
  paymentOf: (uid: string) => PaymentState | undefined;
  hostOf: (uid: string) => Pick<Host<ResourceState>, 'state' | 'isLost'> | undefined;
  localNow: () => string;
}

export const accountsOf = ({
  chronicle,
  nowMs,
  note,
  isOver,
  isBarred,
  paymentOf,
  hostOf,
  localNow,
}: Accountant): Pick<Employer, 'died' | 'scheduled' | 'ended'> => ({
  died: () => {
    for (const call of chronicle.tokenCalls) call.isDead = true;
  },
  scheduled: (name, args) => {
    note(() => `> ${name}`);
    const what = subjectOf(name, args);
    const isAfterEnd = name !== 'submitRefund' && (PAYING.has(name) ? isBarred(what) : isOver());
    if (name === 'sendCommand') chronicle.commands.push({ isAfterEnd });
    if (what === undefined) return;
    const payment = PAYING.has(name) ? paymentOf(what) : undefined;
    const host = hostOf(what);
    chronicle.submissions.push({
      ...{ what, atMs: nowMs(), endMs: Infinity, effect: 'under way', isAfterEnd },
      attempt: payment === undefined ? 1 : attemptsOf(payment).length,
      isOfLost: host?.isLost() === true && host.state().submission.again === undefined,
      isTooLate: PAYING.has(name) && localNow() > lastMomentOf(payment),
    });
  },
  ended: (name, args, attempt) => {
    note(() => `< ${name}: ${outcomeOf(attempt)}`);
    const what = subjectOf(name, args);
    const one = chronicle.submissions.findLast((other) => other.what === what);
    if (one === undefined || what === undefined) return;
    one.endMs = nowMs();
    one.effect = 'ok' in attempt ? 'known' : effectOf('again' in attempt ? attempt.again : attempt.stop);
  },
});

function outcomeOf(attempt: Attempt<unknown>): string {
  if ('ok' in attempt) return 'ok';
  return 'again' in attempt ? attempt.again : attempt.stop.code;
}

function subjectOf(name: string, args: unknown): string | undefined {
  if (name === 'createAgreement') return AGREEMENT_UID;
  const isSending = PAYING.has(name) || name === 'submitRefund';
  if (!isSending || typeof args !== 'object' || args === null) return undefined;
  return String(Reflect.get(args, 'uid'));
}

const EFFECTLESS: ReadonlySet<string> = new Set([
  'rate_limited',
  'stopped',
  'late',
  'unauthorised',
  'forbidden',
  'needs_reauthorisation',
  'token_not_refreshed',
  'not_marked',
]);

function effectOf(
  failure: string | { code: string; means?: string | undefined; isUnmarked?: true | undefined },
): 'none' | 'unclear' | 'refused' {
  const { code, means, isUnmarked } = typeof failure === 'string' ? { code: failure } : failure;
  if (EFFECTLESS.has(code) || isUnmarked === true) return 'none';
  return code === 'rejected' && means !== 'duplicate_uid' ? 'refused' : 'unclear';
}

function lastMomentOf(state: PaymentState | undefined): string {
  if (state === undefined) return NEVER;
  const startedAt = attemptsOf(state).at(-1)?.startedAt ?? state.requestedAt;
  return endOfSydneyDay(sydneyDayOf(startedAt)) ?? NEVER;
}
const NEVER = '9999';
