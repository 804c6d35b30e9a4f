// One step for each core method of our client: clients, look-ups, float accounts, webhooks. `STEPS` requires one for every method.
import { ACCOUNTS, FLOAT_ID, bban, business, individual, unique, wholeBusiness } from './bodies.js';
import { PAYTO_STEPS, agreed, drained, everyOne, paid, type Step } from './steps-payto.js';
import type { PaymentsApi } from '../../payments-api/client.js';
import type { World } from './world.js';

async function registered({ api, call, control }: World): Promise<string> {
  const { id } = await api.createClient(business(), call);
  await control.advance(60);
  return given(id);
}

function given(id: string | null | undefined): string {
  if (id == null) throw new Error('expected an id in the answer; found none');
  return id;
}

async function firstOf<Item>(list: AsyncIterable<Item>): Promise<Item> {
  for await (const item of list) return item;
  throw new Error('expected an item in the list; found none');
}

const incoming = async ({ post }: World): Promise<unknown> =>
  post('/simulate/incoming_npp_bban_payment', {
    to_bsb: '200002',
    to_account_number: '55550001',
    amount: 4200,
  });

async function delivery(world: World) {
  const ref = await agreed(world);
  const { id: webhookId } = await firstOf(world.api.listWebhooks(world.call));
  const { id } = await firstOf(world.api.listWebhookDeliveries(given(webhookId), { ref }, world.call));
  return { webhookId, ref, id };
}

/** A dispute about a settled payment, which requests an action of the merchant. */
async function dispute(world: World) {
  await world.post('/investigations/simulate_incoming_message', {
    simulate_action_request: true,
    investigation_type_code: 'INV13',
    investigation_reason_code: 'CUST',
    original_transaction_identification: await paid(world),
    narrative: '/Key/Value/',
  });
  await world.pass(1);
  return firstOf(world.api.listDisputes(world.call));
}

/** The id of the newest dispute's action request equals that of its event. */
async function actionRequest(world: World): Promise<string> {
  const { relationships } = await dispute(world);
  return given(relationships?.events?.data?.at(-1)?.id);
}

const CORE_STEPS = {
  createClient: async ({ api, call }) =>
    everyOne([business(), wholeBusiness(), individual()], async (body) => api.createClient(body, call)),
  getClient: async (world) => {
    await world.api.getClient(await registered(world), world.call);
  },
  listClients: async ({ api, call }) => {
    await drained(
      api.listClients({ legalName: 'Corner', australianBusinessNumber: '11222333444', perPage: 2 }, call),
    );
  },
  updateClient: async (world) => {
    const id = await registered(world);
    const { legal_name, business_names, contact_information, registered_address, website_url } =
      wholeBusiness();
    await world.api.updateClient(id, { legal_name: 'Corner Gyms Pty Ltd' }, world.call);
    const whole = { legal_name, business_names, contact_information, registered_address, website_url };
    await world.api.updateClient(id, whole, world.call);
  },
  createCounterparty: async ({ later, call }) => {
    await later.createCounterparty({ payment_accounts: [{ account_identifier: bban() }] }, call);
  },
  resolveAlias: async ({ api, call }) => {
    const aliases = ACCOUNTS.filter(({ type }) => type !== 'bban');
    const addresses = ['192.0.2.7', '2001:db8::7'];
    await everyOne(
      aliases.flatMap((alias) =>
        addresses.map((remote_ip) => ({ ...alias, requester: { id: 'user-7', remote_ip } })),
      ),
      async (request) => api.resolveAlias(request, call),
    );
  },
  validateAccount: async ({ api, call }) => {
    const requests = [
      { account_identifier: bban(), party_name: 'A Payer' },
      { account_identifier: bban('20000112345678'), party_name: 'Zoë Müller' },
    ];
    await everyOne(requests, async (one) =>
      api.validateAccount({ uid: unique('cop'), requester: { id: 'user-7' }, ...one }, call),
    );
  },
  ping: async ({ api, call }) => api.ping(call),
  getUser: async ({ api, call }) => {
    await api.getUser(call);
  },
  getFloatAccount: async ({ api, call }) => {
    await api.getFloatAccount(FLOAT_ID, call);
  },
  listFloatAccountEntries: async (world) => {
    await incoming(world);
    const since = { minCreatedDate: new Date(Date.parse(world.control.state().now) - 60_000).toISOString() };
    await drained(world.api.listFloatAccountEntries(FLOAT_ID, since, world.call));
  },
  getFloatAccountEntry: async (world) => {
    await incoming(world);
    const { id } = await firstOf(world.api.listFloatAccountEntries(FLOAT_ID, { perPage: 1 }, world.call));
    await world.api.getFloatAccountEntry(FLOAT_ID, given(id), world.call);
  },
  listBankAccounts: async ({ api, call }) => drained(api.listBankAccounts(call)),
  requestSettlementReport: async ({ api, call }) => {
    await api.requestSettlementReport('2026-07-01', call);
  },
  downloadSettlementReport: async ({ api, call }) => {
    const { url } = await api.requestSettlementReport('2026-07-01', call);
    await api.downloadSettlementReport(url);
  },
  listDisputes: async ({ api, call }) => drained(api.listDisputes(call)),
  getDispute: async (world) => {
    const { id } = await dispute(world);
    await world.api.getDispute(given(id), world.call);
  },
  acceptActionRequest: async (world) => {
    const amount_returned = { currency: 'AUD', value: 100 } as const;
    const request = { amount_returned, return_transaction_identification: 'return-1' };
    await world.api.acceptActionRequest(await actionRequest(world), request, world.call);
  },
  rejectActionRequest: async (world) => {
    const reason = { code: 'NAUT', description: 'Item was delivered' } as const;
    await world.api.rejectActionRequest(await actionRequest(world), { reason }, world.call);
  },
  uploadEvidence: async (world) => {
    const pdf = Buffer.from('%PDF-1.4');
    await world.api.uploadEvidence(await actionRequest(world), pdf, 'evidence.pdf', world.call);
  },
  listWebhooks: async ({ api, call }) => drained(api.listWebhooks(call)),
  listWebhookDeliveries: async (world) => {
    const { webhookId, ref } = await delivery(world);
    const responseStatusCode = [200, null, { from: 400, to: 599 }];
    const filter = { ref, state: ['completed'], responseStatusCode, eventType: 'payto_agreement.activated' };
    await drained(world.api.listWebhookDeliveries(given(webhookId), filter, world.call));
  },
  getWebhookDelivery: async (world) => {
    const { id } = await delivery(world);
    await world.api.getWebhookDelivery(given(id), world.call);
  },
  redeliverWebhook: async (world) => {
    const { id } = await delivery(world);
    await world.api.redeliverWebhook(given(id), world.call);
  },
} satisfies Partial<Record<keyof PaymentsApi, Step>>;

export const STEPS: Record<keyof PaymentsApi, Step> = { ...PAYTO_STEPS, ...CORE_STEPS };
