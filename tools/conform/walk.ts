// The walk: the requests of every method of our client. `npm run conform` judges their exchanges by the provider's files, and
// test/contract/operations.test.ts by the shapes of the sandbox's answers.
import {
  ACCOUNTS,
  DAY_SECONDS,
  FLOAT_ID,
  bban,
  clientRequest,
  counterpartyRequest,
  individual,
  instantIn,
  unique,
  wholeBusiness,
} from './requests.js';
import { PAYTO_STEPS, all, sendEach, type Step } from './walk-payto.js';
import {
  aDelivery,
  activeAgreement,
  firstOf,
  given,
  incomingCredit,
  openDispute,
  registeredClient,
  suspendedAgreement,
} from './resources.js';
import type { PaymentsApi } from '../../payments-api/client.js';

/** The methods that only the latest version has. */
export const ONLY_LATEST: ReadonlySet<string> = new Set(['createCounterparty', 'addIdentification']);

const CLIENT_STEPS = {
  createClient: (world) =>
    sendEach([clientRequest(world), wholeBusiness(world), individual(world)], async (api, body, call) =>
      api.createClient(body, call),
    ),
  getClient: async (world) =>
    sendEach([await registeredClient(world)], async (api, id, call) => api.getClient(id, call)),
  listClients: async (world) => {
    await registeredClient(world);
    const filter = { legalName: 'Corner', australianBusinessNumber: '11222333444', perPage: 2 };
    return sendEach([filter], async (api, one, call) => all(api.listClients(one, call)));
  },
  updateClient: async (world) => {
    const id = await registeredClient(world);
    const { legal_name, business_names, contact_information, registered_address, website_url } =
      wholeBusiness(world);
    const whole = { legal_name, business_names, contact_information, registered_address, website_url };
    return sendEach([{ legal_name: 'Corner Gyms Pty Ltd' }, whole], async (api, body, call) =>
      api.updateClient(id, body, call),
    );
  },
  createCounterparty: () => {
    const bodies = [{ payment_accounts: [{ account_identifier: bban() }] }, counterpartyRequest()];
    return sendEach(bodies, async (api, body, call) => api.createCounterparty(body, call));
  },
  resolveAlias: () => {
    const aliases = ACCOUNTS.filter(({ type }) => type !== 'bban');
    const requests = ['192.0.2.7', '2001:db8::7'].flatMap((remote_ip) =>
      aliases.map((alias) => ({ ...alias, requester: { id: 'user-7', remote_ip } })),
    );
    return sendEach(requests, async (api, request, call) => api.resolveAlias(request, call));
  },
  validateAccount: () => {
    const people = [
      { account_identifier: bban(), party_name: 'A Payer' },
      { account_identifier: bban('20000112345678'), party_name: 'Zoë Müller' },
    ];
    return sendEach(people, async (api, one, call) =>
      api.validateAccount({ uid: unique('cop'), requester: { id: 'user-7' }, ...one }, call),
    );
  },
  ping: () => [async (api, call) => api.ping(call)],
  getUser: () => [async (api, call) => api.getUser(call)],
} satisfies Partial<Record<keyof PaymentsApi, Step>>;

const MONEY_STEPS = {
  listBankAccounts: () => [async (api, call) => all(api.listBankAccounts(call))],
  getFloatAccount: () => [async (api, call) => api.getFloatAccount(FLOAT_ID, call)],
  listFloatAccountEntries: async (world) => {
    for (const by of ['npp_bban', 'de'] as const) await incomingCredit(world, by);
    const filters = [{ minCreatedDate: instantIn(world, -DAY_SECONDS) }, { perPage: 1 }];
    return sendEach(filters, async (api, one, call) => all(api.listFloatAccountEntries(FLOAT_ID, one, call)));
  },
  getFloatAccountEntry: async (world) => {
    await incomingCredit(world, 'npp_bban', { amount: 77 });
    const { id } = await firstOf(world.api.listFloatAccountEntries(FLOAT_ID, { perPage: 1 }, world.call));
    return sendEach([given(id)], async (api, one, call) => api.getFloatAccountEntry(FLOAT_ID, one, call));
  },
  requestSettlementReport: () =>
    sendEach(['2026-07-01'], async (api, day, call) => api.requestSettlementReport(day, call)),
  downloadSettlementReport: async ({ api, call }) => {
    const { url } = await api.requestSettlementReport('2026-07-01', call);
    return [async (other) => ({ checksum: (await other.downloadSettlementReport(url)).checksum })];
  },
} satisfies Partial<Record<keyof PaymentsApi, Step>>;

const DISPUTE_STEPS = {
  listDisputes: async (world) => {
    await openDispute(world);
    return [async (api, call) => all(api.listDisputes(call))];
  },
  getDispute: async (world) =>
    sendEach([(await openDispute(world)).id], async (api, id, call) => api.getDispute(id, call)),
  acceptActionRequest: async (world) => {
    const { actionRequestId } = await openDispute(world);
    const amount_returned = { currency: 'AUD', value: 100 } as const;
    const request = { amount_returned, return_transaction_identification: 'return-1' };
    return [async (api, call) => api.acceptActionRequest(actionRequestId, request, call)];
  },
  rejectActionRequest: async (world) => {
    const { actionRequestId } = await openDispute(world);
    const reason = { code: 'NAUT', description: 'Item was delivered' } as const;
    return [async (api, call) => api.rejectActionRequest(actionRequestId, { reason }, call)];
  },
  uploadEvidence: async (world) => {
    const { actionRequestId } = await openDispute(world);
    const pdf = Buffer.from('%PDF-1.7');
    return [async (api, call) => api.uploadEvidence(actionRequestId, pdf, 'evidence.pdf', call)];
  },
} satisfies Partial<Record<keyof PaymentsApi, Step>>;

const WEBHOOK_STEPS = {
  listWebhooks: () => [async (api, call) => all(api.listWebhooks(call))],
  listWebhookDeliveries: async (world) => {
    const ref = await suspendedAgreement(world);
    const { webhookId } = await aDelivery(world, ref);
    const responseStatusCode = [200, null, { from: 400, to: 599 }];
    const filter = { ref, state: ['completed'], responseStatusCode, eventType: 'payto_agreement.activated' };
    return sendEach([filter, { ref, perPage: 1 }], async (api, one, call) =>
      all(api.listWebhookDeliveries(webhookId, one, call)),
    );
  },
  getWebhookDelivery: async (world) => {
    const { id } = await aDelivery(world, await activeAgreement(world));
    return [async (api, call) => api.getWebhookDelivery(id, call)];
  },
  redeliverWebhook: async (world) => {
    const { id } = await aDelivery(world, await activeAgreement(world));
    return [async (api, call) => api.redeliverWebhook(id, call)];
  },
} satisfies Partial<Record<keyof PaymentsApi, Step>>;

export const WALK: Record<keyof PaymentsApi, Step> = {
  ...PAYTO_STEPS,
  ...CLIENT_STEPS,
  ...MONEY_STEPS,
  ...DISPUTE_STEPS,
  ...WEBHOOK_STEPS,
};
