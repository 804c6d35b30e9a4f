// One or more ways to make the sandbox send each event of an agreement, a payment or a refund, with the reason in the event.
import {
  activeAgreement,
  agreementAfter,
  amend,
  amendedAgreement,
  paymentAfter,
  settledPayment,
  suspendedAgreement,
} from './resources.js';
import { WHY, payer, refundRequest } from './requests.js';
import type { ActionScript } from '../../sandbox/store/action.schema.js';
import type { PayerSimulation } from '../../sandbox/store/agreement.schema.js';
import type { PaymentSimulation } from '../../sandbox/store/payment.schema.js';
import type { World } from './world.js';

type Bring = (world: World) => Promise<string>;
type Act = (world: World, uid: string) => Promise<void> | void;
type Cause = 'debtor' | 'initiator' | 'zepto_system';

export interface EventCase {
  of: string;
  /** Returns the uid of the resource. */
  bring: Bring;
  causedBy?: Cause | undefined;
  code?: string | undefined;
  narrative?: string | undefined;
}

const WITH_METADATA = { metadata: { order: '77' } };
const OF_PAYER = 'Requested by the payer.';

const event = (of: string, bring: Bring, causedBy?: Cause, code?: string, narrative?: string): EventCase => ({
  ...{ of, bring, causedBy, code, narrative },
});

const decided =
  (simulate: PayerSimulation): Bring =>
  async (world) =>
    agreementAfter(world, simulate, WITH_METADATA);

/** Our own action, with the outcome in the script. */
const ours =
  (before: Bring, act: Act, script?: ActionScript): Bring =>
  async (world) => {
    const uid = await before(world);
    if (script !== undefined) world.control.scriptAction(uid, script);
    await act(world, uid);
    await world.control.advance(1);
    return uid;
  };

const afterActs =
  (...acts: Act[]): Bring =>
  async (world) => {
    const uid = await activeAgreement(world, WITH_METADATA);
    for (const act of acts) await act(world, uid);
    return uid;
  };

const byPayer =
  (action: 'suspend' | 'reactivate' | 'cancel'): Act =>
  ({ control }, uid) =>
    control.actAsPayer(uid, action);
const byScheme =
  (action: 'service_suspend' | 'service_reactivate' | 'service_cancel'): Act =>
  ({ control }, uid) =>
    control.actAsService(uid, action);

const suspend: Act = async ({ api, call }, uid) => api.suspendAgreement(uid, WHY, call);
const cancel: Act = async ({ api, call }, uid) => api.cancelAgreement(uid, WHY, call);
const reactivate: Act = async ({ api, call }, uid) => api.reactivateAgreement(uid, call);
const recall: Act = async ({ api, call }, uid) => api.recallAmendment(uid, call);

type AmendmentSimulation = Parameters<typeof amend>[2];
const amended =
  (simulate: AmendmentSimulation): Bring =>
  async (world) =>
    amendedAgreement(world, simulate);

const accountChanged: Act = async (world, uid) => {
  const changes = { debtor: { account_identifier: payer().account_identifier } };
  const path = `/payto/agreements/${uid}/simulate_debtor_action`;
  await world.post(path, { debtor_action: 'amendment', changes }, 'amendment');
};

/** Our sandbox alternates between the two spellings of the event. */
const recalledTwice: Bring = async (world) => {
  const uid = await ours(amended('ignore'), recall)(world);
  await amend(world, uid, 'ignore');
  await recall(world, uid);
  await world.control.advance(1);
  return uid;
};

const paid =
  (simulate: PaymentSimulation): Bring =>
  async (world) => {
    const uid = await paymentAfter(world, simulate, await activeAgreement(world), WITH_METADATA);
    if (simulate.startsWith('pending')) await world.control.advance(36);
    return uid;
  };

const refunded =
  (simulate: string): Bring =>
  async (world) => {
    const request = refundRequest(await settledPayment(world), WITH_METADATA);
    await world.post('/payto/refunds', { ...request, sandbox: { simulate } }, simulate);
    await world.control.advance(1);
    return request.uid;
  };

const AGREEMENT_EVENTS = {
  'payto_agreement.activated': [event('the payer’s acceptance', decided('debtor_accept'))],
  'payto_agreement.declined': [
    event('the payer’s refusal', decided('debtor_decline'), 'debtor', 'MD16', OF_PAYER),
    event('no answer (NOAS)', decided('no_answer'), 'debtor', 'NOAS'),
  ],
  'payto_agreement.expired': [event('no answer', decided('expire'))],
  'payto_agreement.failed': [
    event('a bank without PayTo', decided('debtor_account_type_not_supported'), undefined, 'ZPUNP01'),
    event('an unknown debtor alias', decided('debtor_alias_not_found'), undefined, 'ZPUNP07'),
    event('an unknown creditor alias', decided('creditor_alias_not_found'), undefined, 'ZPUNP08'),
    event('no alias service', decided('alias_resolution_service_unavailable'), undefined, 'ZPUNP06'),
    event('a scheme failure', decided('agreement_service_unavailable'), undefined, 'MMS.API.9000'),
  ],
  'payto_agreement.cancelled': [
    event('ourselves', ours(activeAgreement, cancel), 'initiator', 'MD17', WHY.narrative),
    event('the payer', afterActs(byPayer('cancel')), 'debtor', 'MD16', OF_PAYER),
    event('the scheme', afterActs(byScheme('service_cancel')), 'zepto_system', 'MD07'),
  ],
  'payto_agreement.suspended': [
    event('ourselves', ours(activeAgreement, suspend), 'initiator', 'MD17', WHY.narrative),
    event('the payer', afterActs(byPayer('suspend')), 'debtor', 'MD16', OF_PAYER),
    event('the scheme', afterActs(byScheme('service_suspend')), 'zepto_system', 'MSUC'),
  ],
  'payto_agreement.reactivated': [
    event('ourselves', ours(suspendedAgreement, reactivate), 'initiator'),
    event('the payer', afterActs(byPayer('suspend'), byPayer('reactivate')), 'debtor'),
    event(
      ...(['the scheme', afterActs(byScheme('service_suspend'), byScheme('service_reactivate'))] as const),
      'zepto_system',
    ),
  ],
} satisfies Record<string, readonly EventCase[]>;

const refused = (before: Bring, act: Act, script: ActionScript, code = 'MMS.API.9001'): EventCase[] => [
  event(`a refusal by the scheme (${code})`, ours(before, act, script), undefined, code),
];

const COMMAND_EVENTS = {
  'payto_agreement.cancellation_failed': [
    ...refused(activeAgreement, cancel, { action: 'cancellation', simulate: 'cancellation_failed' }),
    ...refused(
      ...([activeAgreement, cancel] as const),
      { action: 'cancellation', simulate: 'agreement_cancelled' },
      'MMS.API.9002',
    ),
  ],
  'payto_agreement.suspension_failed': refused(activeAgreement, suspend, {
    ...{ action: 'suspension', simulate: 'suspension_failed' },
  }),
  'payto_agreement.reactivation_failed': refused(suspendedAgreement, reactivate, {
    ...{ action: 'reactivation', simulate: 'reactivation_failed' },
  }),
  'payto_agreement.amended': [
    event('the payer’s acceptance of new terms', amended('debtor_accept'), 'initiator'),
    event('a new account of the payer', afterActs(accountChanged), 'debtor'),
    event(
      'a recall after the acceptance',
      ours(amended('ignore'), recall, { action: 'recall', simulate: 'amendment_applied' }),
      'initiator',
    ),
  ],
  'payto_agreement.amendment_declined': [
    event('the payer’s refusal of new terms', amended('debtor_decline'), 'debtor'),
  ],
  'payto_agreement.amendment_expired': [event('no answer', amended('expire'))],
  'payto_agreement.amendment_failed': [
    event('a refusal by the scheme', amended('amendment_failed'), undefined, 'MMS.API.9001'),
    event('an ended agreement', amended('agreement_cancelled'), undefined, 'MMS.API.9003'),
  ],
  'payto_agreement.amended_recalled': [
    event('a recall (documented spelling)', ours(amended('ignore'), recall)),
  ],
  'payto_agreement.amendment_recalled': [event('a recall (other spelling)', recalledTwice)],
  'payto_agreement.amendment_recall_failed': refused(amended('ignore'), recall, {
    ...{ action: 'recall', simulate: 'recall_failed' },
  }),
} satisfies Record<string, readonly EventCase[]>;

export const EVENTS = {
  ...AGREEMENT_EVENTS,
  ...COMMAND_EVENTS,
  'payto_payment.settled': [event('received funds', paid('auto_settle'))],
  'payto_payment.failed': [
    event('insufficient funds', paid('insufficient_funds'), undefined, 'AM04'),
    event('a closed account', paid('debtor_account_closed'), undefined, 'AC05'),
    event('fraud', paid('FRAD'), undefined, 'FRAD'),
  ],
  'payto_payment.pending': [event('no outcome for 35 seconds', paid('pending_then_settle'))],
  'payto_payment.under_investigation': [
    event('a bank without a final status', paid('requires_investigation')),
  ],
  'payto_refund.processed': [event('a completed transfer', refunded('success'))],
  'payto_refund.failed': [event('a closed account', refunded('creditor_account_closed'), undefined, 'AC07')],
} satisfies Record<string, readonly EventCase[]>;
export type PayToEventType = keyof typeof EVENTS;
