import {
  NEW_TERMS,
  WHY,
  activeAgreement,
  agreementAfter,
  amendedAgreement,
  payer,
  paymentAfter,
  refundRequest,
  settledPayment,
  simulate,
  suspendedAgreement,
} from './requests.js';
import type { ActionScript } from '../../../../sandbox/store/action.schema.js';
import type { PayToEventType } from './event-shapes.js';
import type { PayerSimulation } from '../../../../sandbox/store/agreement.schema.js';
import type { PaymentSimulation } from '../../../../sandbox/store/payment.schema.js';
import type { World } from './world.js';

export interface Occasion {
  of: string;
  bring: (world: World) => Promise<string>;
  causedBy?: 'debtor' | 'initiator' | 'zepto_system';
  code?: string;
  narrative?: string;
}

const SAID = { metadata: { order: '77' } };

const decided =
  (simulate: PayerSimulation): Occasion['bring'] =>
  (world) =>
    agreementAfter(world, simulate, SAID);

const byUs =
  (
    before: (world: World) => Promise<string>,
    act: (world: World, uid: string) => Promise<void>,
    script?: ActionScript,
  ): Occasion['bring'] =>
  async (world) => {
    const uid = await before(world);
    if (script !== undefined) world.control.scriptAction(uid, script);
    await act(world, uid);
    await world.control.advance(1);
    return uid;
  };

const byOthers =
  (...acts: ((world: World, uid: string) => void)[]): Occasion['bring'] =>
  async (world) => {
    const uid = await activeAgreement(world, SAID);
    for (const act of acts) act(world, uid);
    return uid;
  };

const payerDoes =
  (action: 'suspend' | 'reactivate' | 'cancel') =>
  ({ control }: World, uid: string): void =>
    control.actAsPayer(uid, action);
const serviceDoes =
  (action: 'service_suspend' | 'service_reactivate' | 'service_cancel') =>
  ({ control }: World, uid: string): void =>
    control.actAsService(uid, action);

const suspend = ({ api, call }: World, uid: string) => api.suspendAgreement(uid, WHY, call);
const cancel = ({ api, call }: World, uid: string) => api.cancelAgreement(uid, WHY, call);
const reactivate = ({ api, call }: World, uid: string) => api.reactivateAgreement(uid, call);
const recall = ({ api, call }: World, uid: string) => api.recallAmendment(uid, call);
const awaitedAmendment = (world: World) => amendedAgreement(world, 'ignore');

async function accountChanged(world: World): Promise<string> {
  const uid = await activeAgreement(world, SAID);
  const changes = { debtor: { account_identifier: payer().account_identifier } };
  await simulate(world, `/payto/agreements/${uid}/simulate_debtor_action`, {
    debtor_action: 'amendment',
    changes,
  });
  return uid;
}

const paid =
  (simulate: PaymentSimulation): Occasion['bring'] =>
  async (world) => {
    const uid = await paymentAfter(world, simulate, await activeAgreement(world), SAID);
    if (simulate.startsWith('pending')) await world.control.advance(36);
    return uid;
  };

const refunded =
  (simulate: string): Occasion['bring'] =>
  async (world) => {
    const request = refundRequest(await settledPayment(world), SAID);
    world.wire.interfere({ body: { sandbox: { simulate } } });
    await world.api.createRefund(request, world.call);
    await world.control.advance(1);
    return request.uid;
  };

export const OCCASIONS: Record<PayToEventType, readonly Occasion[]> = {
  'payto_agreement.activated': [{ of: 'the payer’s acceptance', bring: decided('debtor_accept') }],
  'payto_agreement.declined': [
    {
      of: 'the payer’s refusal',
      bring: decided('debtor_decline'),
      causedBy: 'debtor',
      code: 'MD16',
      narrative: 'Requested by the payer.',
    },
    { of: 'no answer (NOAS)', bring: decided('no_answer'), causedBy: 'debtor', code: 'NOAS' },
  ],
  'payto_agreement.expired': [{ of: 'no answer', bring: decided('expire') }],
  'payto_agreement.failed': [
    { of: 'a bank without PayTo', bring: decided('debtor_account_type_not_supported'), code: 'ZPUNP01' },
    { of: 'an unknown debtor alias', bring: decided('debtor_alias_not_found'), code: 'ZPUNP07' },
    { of: 'an unknown creditor alias', bring: decided('creditor_alias_not_found'), code: 'ZPUNP08' },
    {
      of: 'an unavailable alias service',
      bring: decided('alias_resolution_service_unavailable'),
      code: 'ZPUNP06',
    },
    { of: 'a scheme failure', bring: decided('agreement_service_unavailable'), code: 'MMS.API.9000' },
  ],
  'payto_agreement.cancelled': [
    {
      of: 'ourselves',
      bring: byUs(activeAgreement, cancel),
      causedBy: 'initiator',
      code: 'MD17',
      narrative: WHY.narrative,
    },
    {
      of: 'the payer',
      bring: byOthers(payerDoes('cancel')),
      causedBy: 'debtor',
      code: 'MD16',
      narrative: 'Requested by the payer.',
    },
    {
      of: 'the scheme',
      bring: byOthers(serviceDoes('service_cancel')),
      causedBy: 'zepto_system',
      code: 'MD07',
    },
  ],
  'payto_agreement.suspended': [
    {
      of: 'ourselves',
      bring: byUs(activeAgreement, suspend),
      causedBy: 'initiator',
      code: 'MD17',
      narrative: WHY.narrative,
    },
    {
      of: 'the payer',
      bring: byOthers(payerDoes('suspend')),
      causedBy: 'debtor',
      code: 'MD16',
      narrative: 'Requested by the payer.',
    },
    {
      of: 'the scheme',
      bring: byOthers(serviceDoes('service_suspend')),
      causedBy: 'zepto_system',
      code: 'MSUC',
    },
  ],
  'payto_agreement.reactivated': [
    { of: 'ourselves', bring: byUs(suspendedAgreement, reactivate), causedBy: 'initiator' },
    {
      of: 'the payer',
      bring: byOthers(payerDoes('suspend'), payerDoes('reactivate')),
      causedBy: 'debtor',
    },
    {
      of: 'the scheme',
      bring: byOthers(serviceDoes('service_suspend'), serviceDoes('service_reactivate')),
      causedBy: 'zepto_system',
    },
  ],
  'payto_agreement.cancellation_failed': [
    {
      of: 'a refusal by the scheme',
      bring: byUs(activeAgreement, cancel, { action: 'cancellation', simulate: 'cancellation_failed' }),
      code: 'MMS.API.9001',
    },
    {
      of: 'an earlier cancellation by the payer',
      bring: byUs(activeAgreement, cancel, { action: 'cancellation', simulate: 'agreement_cancelled' }),
      code: 'MMS.API.9002',
    },
  ],
  'payto_agreement.suspension_failed': [
    {
      of: 'a refusal by the scheme',
      bring: byUs(activeAgreement, suspend, { action: 'suspension', simulate: 'suspension_failed' }),
      code: 'MMS.API.9001',
    },
  ],
  'payto_agreement.reactivation_failed': [
    {
      of: 'a refusal by the scheme',
      bring: byUs(suspendedAgreement, reactivate, {
        action: 'reactivation',
        simulate: 'reactivation_failed',
      }),
      code: 'MMS.API.9001',
    },
  ],
  'payto_agreement.amended': [
    {
      of: 'the payer’s acceptance of new terms',
      bring: (world) => amendedAgreement(world, 'debtor_accept'),
      causedBy: 'initiator',
    },
    { of: 'a new account of the payer', bring: accountChanged, causedBy: 'debtor' },
    {
      of: 'a recall after the acceptance',
      bring: byUs(awaitedAmendment, recall, { action: 'recall', simulate: 'amendment_applied' }),
      causedBy: 'initiator',
    },
  ],
  'payto_agreement.amendment_declined': [
    {
      of: 'the payer’s refusal of new terms',
      bring: (world) => amendedAgreement(world, 'debtor_decline'),
      causedBy: 'debtor',
    },
  ],
  'payto_agreement.amendment_expired': [
    { of: 'no answer', bring: (world) => amendedAgreement(world, 'expire') },
  ],
  'payto_agreement.amendment_failed': [
    {
      of: 'a refusal by the scheme',
      bring: (world) => amendedAgreement(world, 'amendment_failed'),
      code: 'MMS.API.9001',
    },
    {
      of: 'an ended agreement',
      bring: (world) => amendedAgreement(world, 'agreement_cancelled'),
      code: 'MMS.API.9003',
    },
  ],
  'payto_agreement.amended_recalled': [
    { of: 'a recall (documented spelling)', bring: byUs(awaitedAmendment, recall) },
  ],
  'payto_agreement.amendment_recalled': [
    {
      of: 'a recall (other spelling)',
      bring: async (world) => {
        const uid = await byUs(awaitedAmendment, recall)(world);
        world.control.scriptAction(uid, { action: 'amendment', simulate: 'ignore' });
        await world.api.proposeAmendment(uid, { changes: NEW_TERMS }, world.call);
        await world.control.advance(1);
        await recall(world, uid);
        await world.control.advance(1);
        return uid;
      },
    },
  ],
  'payto_agreement.amendment_recall_failed': [
    {
      of: 'a refusal by the scheme',
      bring: byUs(awaitedAmendment, recall, { action: 'recall', simulate: 'recall_failed' }),
      code: 'MMS.API.9001',
    },
  ],
  'payto_payment.settled': [{ of: 'received funds', bring: paid('auto_settle') }],
  'payto_payment.failed': [
    { of: 'insufficient funds', bring: paid('insufficient_funds'), code: 'AM04' },
    { of: 'a closed account', bring: paid('debtor_account_closed'), code: 'AC05' },
    { of: 'fraud', bring: paid('FRAD'), code: 'FRAD' },
  ],
  'payto_payment.pending': [{ of: 'no outcome for 35 seconds', bring: paid('pending_then_settle') }],
  'payto_payment.under_investigation': [
    { of: 'a bank without a final status', bring: paid('requires_investigation') },
  ],
  'payto_refund.processed': [{ of: 'a completed transfer', bring: refunded('success') }],
  'payto_refund.failed': [
    { of: 'a closed account', bring: refunded('creditor_account_closed'), code: 'AC07' },
  ],
};
