import { judge, type Compared, type Difference, type Tracked } from '../../domain/sweep/comparison.js';
import { AGREEMENTS, AGREEMENT_LIFECYCLE } from '../../domain/agreement/lifecycle.js';
import { PAYMENTS, PAYMENT_LIFECYCLE } from '../../domain/payment/lifecycle.js';
import { resourceView } from '../../workflows/resource/view.js';
import { AGREEMENT_UID, CONNECTION_ID } from './terms.js';
import type { Life } from './life.js';

export function sweep(life: Life): void {
  const { agreement, connection, payments, provider, rules, there } = life;
  if (connection.state().status !== 'healthy') return;
  const before = new Map(life.differences);
  life.differences.clear();
  const compared = (what: Compared, uid: string, state: string, here: Tracked | undefined): boolean => {
    const judging = { connectionId: CONNECTION_ID, before, adopts: true };
    const { isSignalled, difference } = judge(what, { uid, state }, here, judging);
    if (difference !== undefined) life.differences.set(uid, difference satisfies Difference);
    return isSignalled;
  };
  const host = agreement();
  const shown = provider.agreement()?.state;
  const own = host && tracked(host, resourceView(AGREEMENT_LIFECYCLE, host.state(), ''));
  if (shown !== undefined && compared(AGREEMENTS, AGREEMENT_UID, shown, own)) life.differs();
  for (const [uid, one] of there) {
    const payment = payments.get(uid);
    const state = one.shown();
    const ours = payment && tracked(payment, resourceView(PAYMENT_LIFECYCLE, payment.state(), ''));
    if (state !== undefined && compared(PAYMENTS, uid, state, ours)) life.paymentDiffers(uid);
  }
  if (rules.sweepResumes) life.resumeBlocked();
}

const tracked = (
  { isOver }: { isOver: () => boolean },
  { uid, state, connectionId }: Pick<Tracked, 'uid' | 'state' | 'connectionId'>,
): Tracked => ({ uid, state, connectionId, isOpen: !isOver() });
