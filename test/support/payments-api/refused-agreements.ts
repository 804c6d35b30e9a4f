import {
  DAY_SECONDS,
  NEW_TERMS,
  WHY,
  agreementRequest,
  bban,
  biller,
  dayIn,
  individual,
  instantIn,
  payer,
  unique,
  wholeBusiness,
} from '../../../tools/conform/requests.js';
import {
  activeAgreement,
  agreementAfter,
  amendedAgreement,
  paymentAfter,
  registeredClient,
  suspendedAgreement,
} from '../../../tools/conform/resources.js';
import { all } from '../../../tools/conform/walk-payto.js';
import type { ActionScript } from '../../../sandbox/store/action.schema.js';
import type { AmendmentRequest } from '../../../payments-api/requests/agreement.schema.js';
import type { Meaning } from '../../../domain/provider/error-meaning.js';
import type { NewAgreement } from '../../../payments-api/requests/intended.js';
import type { PaymentsApiErrorCode } from '../../../domain/provider/call-codes.js';
import type { SetLimits } from '../../../sandbox/control/requests.schema.js';
import type { World } from './contract-world.js';

export interface Refused {
  means: Meaning;
  status: number;
  called: PaymentsApiErrorCode;
  bring: (world: World) => Promise<unknown>;
}

export type Rows = Record<string, Refused | readonly Refused[]>;

export const refused = (
  means: Meaning,
  bring: Refused['bring'],
  other: Pick<Refused, 'status' | 'called'> = { status: 422, called: 'rejected' },
): Refused => ({ means, bring, ...other });

export const withLimits =
  (limits: SetLimits, act: Refused['bring']): Refused['bring'] =>
  async (world) => {
    const usual = world.control.state().account.limits;
    world.control.setLimits(limits);
    try {
      return await act(world);
    } finally {
      world.control.setLimits(usual);
    }
  };

const creating =
  (overrides: (world: World) => Partial<NewAgreement> | Promise<Partial<NewAgreement>>): Refused['bring'] =>
  async (world) =>
    world.api.createAgreement(agreementRequest(await overrides(world)), world.call);

const invalid = (overrides: (world: World) => Partial<NewAgreement>): Refused =>
  refused('invalid_request', creating(overrides));

const unchecked = (overrides: (world: World) => Partial<NewAgreement>): Refused =>
  refused('invalid_request', (world) => {
    world.changeNext({ body: overrides(world) });
    return world.api.createAgreement(agreementRequest(), world.call);
  });

const variable = { type: 'variable', frequency: 'adhoc' };
const debtorAt = (value: string) => () => ({ debtor: { ...payer(), account_identifier: bban(value) } });
const creditorAt = (value: string) => () => ({ creditor: { ...biller(), account_identifier: bban(value) } });
const unusable = (overrides: () => Partial<NewAgreement>): Refused =>
  refused('account_unusable', creating(overrides));

const withoutPayTo = (world: World) =>
  registeredClient(world, { ...wholeBusiness(world), services: ['rtp'] });

const CREATIONS = {
  ZPAGR00: refused(
    'duplicate_uid',
    creating(async (world) => ({ uid: await activeAgreement(world) })),
  ),
  ZPAGR01: refused(
    'not_configured',
    creating(async (world) => {
      const { id } = await world.api.createClient(individual(world), world.call);
      await world.control.advance(60);
      return { initiator: { client_id: id ?? '' } };
    }),
  ),
  ZPAGR02: invalid((world) => ({ resolution_requested_before: instantIn(world, 6 * DAY_SECONDS) })),
  ZPAGR03: unchecked((world) => ({ resolution_requested_before: instantIn(world, -60) })),
  ZPAGR04: unchecked((world) => ({ validity_start_date: dayIn(world, -1) })),
  ZPAGR05: refused('invalid_request', async (world) => {
    const uid = await activeAgreement(world);
    world.changeNext({ body: { changes: { validity_start_date: dayIn(world, 10) } } });
    return world.api.proposeAmendment(uid, { changes: {} }, world.call);
  }),
  ZPAGR06: unchecked((world) => ({
    validity_start_date: dayIn(world, 20),
    validity_end_date: dayIn(world, 10),
  })),
  ZPAGR07: unchecked((world) => ({
    validity_start_date: dayIn(world, 20),
    payment_terms: { ...variable, first_payment_date: dayIn(world, 10) },
  })),
  ZPAGR08: invalid((world) => ({
    validity_end_date: dayIn(world, 10),
    payment_terms: { ...variable, first_payment_date: dayIn(world, 20) },
  })),
  ZPAGR09: unchecked((world) => ({ payment_terms: { ...variable, first_payment_date: dayIn(world, -1) } })),
  ZPAGR10: unchecked((world) => ({ payment_terms: { ...variable, last_payment_date: dayIn(world, -1) } })),
  ZPAGR11: unchecked((world) => ({
    payment_terms: { ...variable, first_payment_date: dayIn(world, 20), last_payment_date: dayIn(world, 10) },
  })),
  ZPAGR12: unusable(debtorAt('200001-0000')),
  ZPAGR13: unusable(debtorAt('200001-9999')),
  ZPAGR14: unusable(debtorAt('100000-1234')),
  ZPAGR15: refused('limit', async (world) => {
    const debtor = payer();
    for (let times = 0; times < 6; times += 1) await activeAgreement(world, { debtor });
    return world.api.createAgreement(agreementRequest({ debtor }), world.call);
  }),
  ZPAGR16: refused(
    'limit',
    withLimits(
      { agreements_per_account_per_day: 0 },
      creating(() => ({})),
    ),
  ),
  ZPAGR17: unchecked(() => ({ cancel_if_unresolved: true })),
  ZPAGR18: refused('invalid_request', async (world) => {
    const initiator = { name: 'B', legal_name: 'B Ltd', abn: '11222333444', acn: '222333444' };
    world.changeNext({ body: { initiator } });
    return world.on('20260101').createAgreement(agreementRequest(), world.call);
  }),
  ZPUNP00: invalid(debtorAt('200001-1234567890')),
  ZPUNP01: unusable(debtorAt('100001-1234')),
  ZPUNP02: unusable(creditorAt('100002-1234')),
  ZPUNP03: unusable(creditorAt('200002-0000')),
  ZPUNP04: unusable(creditorAt('200002-9999')),
  ZPUNP05: unusable(creditorAt('100000-1234')),
  ZPPGN00: refused('invalid_request', (world) =>
    all(world.api.listAgreements({ startingAfter: 'nothing-of-this-list' }, world.call)),
  ),
  ZCLT05: [
    refused(
      'not_configured',
      creating(async (world) => ({ initiator: { client_id: await withoutPayTo(world) } })),
    ),
    refused('not_configured', async (world) => {
      const client_id = await withoutPayTo(world);
      const uid = await activeAgreement(world);
      return world.api.addIdentification(uid, { initiator: { client_id } }, world.call);
    }),
  ],
};

type Act = (world: World, uid: string) => Promise<unknown>;
type Prepare = (world: World) => Promise<string>;

const cancel: Act = ({ api, call }, uid) => api.cancelAgreement(uid, WHY, call);
const suspend: Act = ({ api, call }, uid) => api.suspendAgreement(uid, WHY, call);
const reactivate: Act = ({ api, call }, uid) => api.reactivateAgreement(uid, call);
const recall: Act = ({ api, call }, uid) => api.recallAmendment(uid, call);
const amend =
  (request: (world: World) => AmendmentRequest): Act =>
  async (world, uid) =>
    world.api.proposeAmendment(uid, request(world), world.call);
const newTerms = amend(() => ({ changes: NEW_TERMS }));

const forbiddenAct = (prepare: Prepare, act: Act): Refused =>
  refused('wrong_state', async (world) => act(world, await prepare(world)));

const inProgress = (prepare: Prepare, act: Act, script: ActionScript): Refused =>
  refused('already_processing', async (world) => {
    const uid = await prepare(world);
    world.control.scriptAction(uid, { ...script, delay: 60 });
    await act(world, uid);
    return act(world, uid);
  });

const invalidChange = (changed: (world: World) => AmendmentRequest): Refused =>
  refused('invalid_request', async (world) => amend(changed)(world, await activeAgreement(world)));

const declinedAgreement: Prepare = (world) => agreementAfter(world, 'debtor_decline');
const awaited: Prepare = (world) => amendedAgreement(world, 'ignore');
const suspendedByPayer: Prepare = async (world) => {
  const uid = await activeAgreement(world);
  world.control.actAsPayer(uid, 'suspend');
  return uid;
};
const paidOff: Prepare = async (world) => {
  const payment_terms = { type: 'balloon', frequency: 'adhoc', amount: 4200 };
  const uid = await activeAgreement(world, { payment_terms });
  await paymentAfter(world, 'auto_settle', uid, { last_payment: true });
  return uid;
};

const ACTIONS = {
  ZPCAN00: forbiddenAct(declinedAgreement, cancel),
  ZPCAN01: inProgress(activeAgreement, cancel, {
    action: 'cancellation',
    simulate: 'successful_cancellation',
  }),
  ZPSUS00: [forbiddenAct(declinedAgreement, suspend), forbiddenAct(suspendedAgreement, suspend)],
  ZPSUS01: inProgress(activeAgreement, suspend, { action: 'suspension', simulate: 'successful_suspension' }),
  ZPREA00: [forbiddenAct(activeAgreement, reactivate), forbiddenAct(suspendedByPayer, reactivate)],
  ZPREA01: inProgress(suspendedAgreement, reactivate, {
    action: 'reactivation',
    simulate: 'successful_reactivation',
  }),
  ZPAMN00: forbiddenAct(declinedAgreement, newTerms),
  ZPAMN01: refused('amendment_pending', async (world) => newTerms(world, await awaited(world))),
  ZPAMN02: invalidChange(() => ({ changes: {} })),
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
  ZPAMN06: invalidChange((world) => ({
    changes: NEW_TERMS,
    resolution_requested_before: instantIn(world, 6 * DAY_SECONDS),
  })),
  ZPAMN07: refused('invalid_request', async (world) => {
    const uid = await activeAgreement(world);
    world.changeNext({ body: { resolution_requested_before: instantIn(world, -60) } });
    return world.api.proposeAmendment(uid, { changes: NEW_TERMS }, world.call);
  }),
  ZPAMN08: refused('terms_forbid', async (world) => newTerms(world, await paidOff(world))),
  ZPARE00: forbiddenAct((world) => amendedAgreement(world, 'debtor_accept'), recall),
  ZPARE01: inProgress(awaited, recall, { action: 'recall', simulate: 'successful_recall' }),
  ZPARE02: refused('no_amendment', async (world) => recall(world, await activeAgreement(world))),
};

const simulating = ({ changeNext }: World, simulate: string | undefined): void => {
  if (simulate !== undefined) changeNext({ body: { sandbox: { simulate } } });
};

const resolving =
  (simulate?: string): Refused['bring'] =>
  async (world) => {
    simulating(world, simulate);
    const requester = { id: 'user-7', remote_ip: '192.0.2.7' };
    const request = { type: 'alias_email', value: 'payer@example.com', requester };
    return world.api.resolveAlias(request, world.call);
  };

const validating =
  (simulate?: string, account = payer()): Refused['bring'] =>
  async (world) => {
    simulating(world, simulate);
    const request = { uid: unique('cop'), ...account, requester: { id: 'user-7' } };
    return world.api.validateAccount(request, world.call);
  };

const limitedLookup = (act: Refused['bring'], limits: Parameters<typeof withLimits>[0]): Refused =>
  refused('limit', withLimits(limits, act));
const unconfirmed = (act: Refused['bring']): Refused => refused('unconfirmed', act);

const LOOKUPS = {
  ZPADD01: refused('alias_unknown', resolving('alias_not_found')),
  ZPADD02: limitedLookup(resolving(), { alias_lookups_per_account_per_day: 0 }),
  ZPADD03: limitedLookup(resolving(), { alias_lookups_per_ip_per_day: 0 }),
  ZPADD04: limitedLookup(resolving(), { alias_lookups_per_requester_per_day: 0 }),
  ZPADD98: refused('service_down', resolving('service_unavailable'), {
    status: 503,
    called: 'unavailable',
  }),
  ZCOPR00: unconfirmed(validating('unable_to_confirm')),
  ZCOPR01: unconfirmed(
    validating(undefined, { ...payer(), account_identifier: { type: 'bban', value: '100000-1234' } }),
  ),
  ZCOPR02: refused('account_unusable', validating('no_account_found'), {
    status: 404,
    called: 'not_found',
  }),
  ZCOPR04: limitedLookup(validating(), { account_no_matches_per_day: 0 }),
  ZCOPR05: limitedLookup(validating(), { requester_no_matches_per_day: 0 }),
  ZCOPR06: limitedLookup(validating(), { account_validations_per_day: 0 }),
  ZCOPR07: limitedLookup(validating(), { account_validations_per_requester_per_day: 0 }),
};

export const AGREEMENT_ROWS = { ...CREATIONS, ...ACTIONS, ...LOOKUPS };
