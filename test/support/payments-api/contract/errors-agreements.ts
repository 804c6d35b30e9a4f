import { all } from '../loopback.js';
import {
  DAY_SECONDS,
  activeAgreement,
  agreementRequest,
  bban,
  biller,
  dayIn,
  instantIn,
  payer,
  clientRequest,
  registeredClient,
} from './requests.js';
import { refused, withLimits, type Refused } from './errors.js';
import type { NewAgreement } from '../../../../payments-api/requests/intended.js';
import type { World } from './world.js';

const creating =
  (overrides: (world: World) => Partial<NewAgreement> | Promise<Partial<NewAgreement>>): Refused['bring'] =>
  async (world) =>
    world.api.createAgreement(agreementRequest(await overrides(world)), world.call);

const invalid = (overrides: (world: World) => Partial<NewAgreement>): Refused =>
  refused('invalid_request', creating(overrides));

const slipped = (overrides: (world: World) => Partial<NewAgreement>): Refused =>
  refused('invalid_request', (world) => {
    world.wire.interfere({ body: overrides(world) });
    return world.api.createAgreement(agreementRequest(), world.call);
  });

const variable = { type: 'variable', frequency: 'adhoc' };
const debtorAt = (value: string) => () => ({ debtor: { ...payer(), account_identifier: bban(value) } });
const creditorAt = (value: string) => () => ({ creditor: { ...biller(), account_identifier: bban(value) } });
const unusable = (overrides: () => Partial<NewAgreement>): Refused =>
  refused('account_unusable', creating(overrides));

const withoutPayTo = (world: World) => registeredClient(world, { services: ['rtp'] });

export const AGREEMENT_ROWS = {
  ZPAGR00: refused(
    'duplicate_uid',
    creating(async (world) => ({ uid: await activeAgreement(world) })),
  ),
  ZPAGR01: refused(
    'not_configured',
    creating(async (world) => {
      const { legal_name, business_names, registered_address, merchant_category_code, services } =
        clientRequest();
      const person = { legal_name, business_names, registered_address, merchant_category_code, services };
      const { id = '' } = await world.api.createClient({ type: 'individual', ...person }, world.call);
      await world.control.advance(60);
      return { initiator: { client_id: id ?? '' } };
    }),
  ),
  ZPAGR02: invalid((world) => ({ resolution_requested_before: instantIn(world, 6 * DAY_SECONDS) })),
  ZPAGR03: slipped((world) => ({ resolution_requested_before: instantIn(world, -60) })),
  ZPAGR04: slipped((world) => ({ validity_start_date: dayIn(world, -1) })),
  ZPAGR05: refused('invalid_request', async (world) => {
    const uid = await activeAgreement(world);
    world.wire.interfere({ body: { changes: { validity_start_date: dayIn(world, 10) } } });
    return world.api.proposeAmendment(uid, { changes: {} }, world.call);
  }),
  ZPAGR06: slipped((world) => ({
    validity_start_date: dayIn(world, 20),
    validity_end_date: dayIn(world, 10),
  })),
  ZPAGR07: slipped((world) => ({
    validity_start_date: dayIn(world, 20),
    payment_terms: { ...variable, first_payment_date: dayIn(world, 10) },
  })),
  ZPAGR08: invalid((world) => ({
    validity_end_date: dayIn(world, 10),
    payment_terms: { ...variable, first_payment_date: dayIn(world, 20) },
  })),
  ZPAGR09: slipped((world) => ({ payment_terms: { ...variable, first_payment_date: dayIn(world, -1) } })),
  ZPAGR10: slipped((world) => ({ payment_terms: { ...variable, last_payment_date: dayIn(world, -1) } })),
  ZPAGR11: slipped((world) => ({
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
  ZPAGR17: slipped(() => ({ cancel_if_unresolved: true })),
  ZPAGR18: refused('invalid_request', async (world) => {
    const initiator = { name: 'B', legal_name: 'B Ltd', abn: '11222333444', acn: '222333444' };
    world.wire.interfere({ body: { initiator } });
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
