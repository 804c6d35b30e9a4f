import { isUnderWay } from '../../domain/agreement/action.js';
import { isFinal } from '../../domain/agreement/lifecycle.js';
import { isDropped } from '../../domain/facts/dropped-hashes.js';
import { isPaymentFinal } from '../../domain/payment/lifecycle.js';
import { wholeEntry } from '../../domain/payment/outcome.js';
import { REFUND_LIFECYCLE, isRefundFinal } from '../../domain/refund/lifecycle.js';
import * as agreements from '../../workflows/agreement/state.js';
import { attentionOf, foldedOf, type ResourceState } from '../../workflows/resource/state.js';
import * as payments from '../../workflows/payment/state.js';
import { AGREEMENT_UID } from './terms.js';
import type { PaymentInput } from '../../workflows/payment/contract.js';
import type { Chronicle, Status } from './chronicle.js';
import type { Host } from './host.js';
import type { Life } from './life.js';

export function statusesOf(life: Life): Status[] {
  const { agreement, chronicle, payments: known, provider, there } = life;
  const host = agreement();
  const shown = provider.agreement()?.state;
  const ofPayments = [...known].map(([uid, one]) => {
    const here = payments.stateOf(one.state());
    const state = there.get(uid)?.shown();
    return {
      ...statusOf(uid, one, here, state),
      isFinalHere: isPaymentFinal(here),
      isFinalThere: state === 'settled' || state === 'failed',
      inLedger: inLedger(host, uid),
      lacks: lackingIn(one.state(), chronicle.requests.get(uid)),
      isAnothers: life.isAnothers(uid) && one.state().adopted !== true,
    };
  });
  const others = [...ofPayments, ...refundStatusesOf(life)];
  if (host === undefined) return others;
  const here = agreements.stateOf(host.state());
  const openCommands = host
    .state()
    .actions.filter(isUnderWay)
    .map(({ key, command, stage }) => ({ key, stage, isUnderWayThere: provider.isUnderWay(command.kind) }));
  const isActionUnderWay = openCommands.some((one) => one.stage === 'accepted' && one.isUnderWayThere);
  const isFinalThere = shown !== undefined && isFinal(shown);
  const own = statusOf(AGREEMENT_UID, host, here, shown);
  return [{ ...own, isFinalHere: isFinal(here), isFinalThere, isActionUnderWay, openCommands }, ...others];
}

function refundStatusesOf({ refunds, refundsThere, payments: known }: Life): Status[] {
  return [...refunds].map(([uid, one]) => {
    const here = foldedOf(REFUND_LIFECYCLE, one.state()).state;
    const state = refundsThere.get(uid)?.shown();
    const entries = [...known.values()].flatMap((payment) => payment.state().refunds ?? []);
    return {
      ...statusOf(uid, one, here, state),
      isFinalHere: isRefundFinal(here),
      isFinalThere: state === 'processed' || state === 'failed',
      inPayment: entries.find((entry) => entry.uid === uid)?.outcome ?? 'unknown',
    };
  });
}

function inLedger(host: Host<agreements.AgreementState> | undefined, uid: string): string | undefined {
  const entry = host?.isOver() === false ? host.state().ledger.find((one) => one.uid === uid) : undefined;
  return entry && wholeEntry(entry).outcome;
}

function lackingIn(
  { order, requestedBy }: payments.PaymentState,
  requested: PaymentInput | undefined,
): string | undefined {
  if (requested === undefined) return undefined;
  if (requested.order?.amount !== order?.amount) return 'order';
  return requested.requestedBy === requestedBy ? undefined : 'requester';
}

type Judged = Omit<Status, 'isFinalHere' | 'isFinalThere'>;

function statusOf(
  what: string,
  host: Pick<
    Host<ResourceState>,
    'isOver' | 'fault' | 'state' | 'recordsFault' | 'hasRecorded' | 'isContinued'
  >,
  here: string,
  there: string | undefined,
): Judged {
  const state = host.state();
  return {
    what,
    here,
    there,
    isOver: host.isOver(),
    stage: state.submission.stage,
    awaiting: state.awaiting.what,
    blocked: state.blocked,
    flags: attentionOf(state).map(({ code }) => code),
    // The records still have what a terminated run has left, or one that has not found its resource.
    knows: (id) =>
      isDropped(state.droppedHashes, id) ||
      state.facts.some((fact) => fact.id === id) ||
      (host.isContinued() && host.hasRecorded(id)),
    fault: host.fault(),
    recordsFault: host.recordsFault(),
    isActionUnderWay: false,
    inLedger: undefined,
    isAnothers: false,
    inPayment: undefined,
    openCommands: [],
    lacks: undefined,
  };
}

export function livePaymentsOf({ there, isAnothers }: Life): Chronicle['livePayments'] {
  const live = new Map<number, readonly string[]>();
  for (const [uid, one] of there) {
    const intent = Number(uid.split('-')[1]);
    const state = one.shown();
    if (Number.isNaN(intent) || isAnothers(uid) || state === undefined || state === 'failed') continue;
    live.set(intent, [...(live.get(intent) ?? []), uid]);
  }
  return live;
}
