import {
  DAY_SECONDS,
  NEW_TERMS,
  WHY,
  activeAgreement,
  agreementAfter,
  amendedAgreement,
  instantIn,
  dayIn,
  paymentAfter,
  suspendedAgreement,
} from './requests.js';
import { refused, type Refused } from './errors.js';
import type { ActionScript } from '../../../../sandbox/store/action.schema.js';
import type { AmendmentRequest } from '../../../../payments-api/requests/agreement.schema.js';
import type { World } from './world.js';

type Act = (world: World, uid: string) => Promise<unknown>;
type Begun = (world: World) => Promise<string>;

const cancel: Act = ({ api, call }, uid) => api.cancelAgreement(uid, WHY, call);
const suspend: Act = ({ api, call }, uid) => api.suspendAgreement(uid, WHY, call);
const reactivate: Act = ({ api, call }, uid) => api.reactivateAgreement(uid, call);
const recall: Act = ({ api, call }, uid) => api.recallAmendment(uid, call);
const amend =
  (request: (world: World) => AmendmentRequest): Act =>
  async (world, uid) =>
    world.api.proposeAmendment(uid, request(world), world.call);
const newTerms = amend(() => ({ changes: NEW_TERMS }));

const forbidden = (begun: Begun, act: Act): Refused =>
  refused('wrong_state', async (world) => act(world, await begun(world)));

const inProgress = (begun: Begun, act: Act, script: ActionScript): Refused =>
  refused('already_processing', async (world) => {
    const uid = await begun(world);
    world.control.scriptAction(uid, { ...script, delay: 60 });
    await act(world, uid);
    return act(world, uid);
  });

const invalid = (changed: (world: World) => AmendmentRequest): Refused =>
  refused('invalid_request', async (world) => amend(changed)(world, await activeAgreement(world)));

const declined: Begun = (world) => agreementAfter(world, 'debtor_decline');
const awaited: Begun = (world) => amendedAgreement(world, 'ignore');
const suspendedByPayer: Begun = async (world) => {
  const uid = await activeAgreement(world);
  world.control.actAsPayer(uid, 'suspend');
  return uid;
};
const paidOff: Begun = async (world) => {
  const payment_terms = { type: 'balloon', frequency: 'adhoc', amount: 4200 };
  const uid = await activeAgreement(world, { payment_terms });
  await paymentAfter(world, 'auto_settle', uid, { last_payment: true });
  return uid;
};

export const ACTION_ROWS = {
  ZPCAN00: forbidden(declined, cancel),
  ZPCAN01: inProgress(activeAgreement, cancel, {
    action: 'cancellation',
    simulate: 'successful_cancellation',
  }),
  ZPSUS00: [forbidden(declined, suspend), forbidden(suspendedAgreement, suspend)],
  ZPSUS01: inProgress(activeAgreement, suspend, { action: 'suspension', simulate: 'successful_suspension' }),
  ZPREA00: [forbidden(activeAgreement, reactivate), forbidden(suspendedByPayer, reactivate)],
  ZPREA01: inProgress(suspendedAgreement, reactivate, {
    action: 'reactivation',
    simulate: 'successful_reactivation',
  }),
  ZPAMN00: forbidden(declined, newTerms),
  ZPAMN01: refused('amendment_pending', async (world) => newTerms(world, await awaited(world))),
  ZPAMN02: invalid(() => ({ changes: {} })),
  ZPAMN03: refused('no_change', async (world) =>
    amend(() => ({ changes: { description: 'Plan 77' } }))(world, await activeAgreement(world)),
  ),
  ZPAMN04: refused('terms_forbid', async (world) =>
    amend(() => ({ changes: { validity_end_date: dayIn(world, 90) } }))(world, await activeAgreement(world)),
  ),
  ZPAMN05: refused('not_configured', async (world) => {
    const uid = await activeAgreement(world);
    const changes = { initiator: { legal_name: 'Somebody Else Pty Ltd' } };
    return world.on('20260101').proposeAmendment(uid, { changes }, world.call);
  }),
  ZPAMN06: invalid((world) => ({
    changes: NEW_TERMS,
    resolution_requested_before: instantIn(world, 6 * DAY_SECONDS),
  })),
  ZPAMN07: refused('invalid_request', async (world) => {
    const uid = await activeAgreement(world);
    world.wire.interfere({ body: { resolution_requested_before: instantIn(world, -60) } });
    return world.api.proposeAmendment(uid, { changes: NEW_TERMS }, world.call);
  }),
  ZPAMN08: refused('terms_forbid', async (world) => newTerms(world, await paidOff(world))),
  ZPARE00: forbidden((world) => amendedAgreement(world, 'debtor_accept'), recall),
  ZPARE01: inProgress(awaited, recall, { action: 'recall', simulate: 'successful_recall' }),
  ZPARE02: refused('no_amendment', async (world) => recall(world, await activeAgreement(world))),
};
