import { all } from '../loopback.js';
import * as shapes from './shapes.js';
import {
  FLOAT_ID,
  activeAgreement,
  clientRequest,
  counterpartyRequest,
  incomingCredit,
  payer,
  registeredClient,
  unique,
} from './requests.js';
import { dated, nothing, step, type Step } from './walk.js';
import { INVESTIGATION_STEPS } from './walk-investigations.js';
import type { PaymentsApi } from '../../../../payments-api/client.js';
import type { World } from './world.js';

const CLIENTS = {
  createClient: step({
    line: 'POST /clients',
    operation: 'create_client',
    scope: 'clients',
    status: 201,
    prepare: (world) => {
      const request = clientRequest();
      return (call) => world.api.createClient(request, call);
    },
    answer: shapes.one(shapes.client),
    makes: ({ data }) => data,
  }),
  getClient: step({
    line: 'GET /clients/{}',
    operation: 'get_client',
    scope: 'clients',
    status: 200,
    prepare: async (world) => {
      const id = await registeredClient(world, { website_url: 'https://gym.example' });
      return (call) => world.api.getClient(id, call);
    },
    answer: shapes.one(shapes.client),
    makes: ({ data }) => {
      if (data.services.payto !== 'active') throw new Error('expected the PayTo service to be active');
      return data;
    },
  }),
  listClients: step({
    line: 'GET /clients',
    operation: 'list_clients',
    scope: 'clients',
    status: 200,
    prepare: async (world) => {
      await registeredClient(world, { legal_name: 'Zebra Rides Pty Ltd' });
      return (call) => all(world.api.listClients({ legalName: 'Zebra' }, call));
    },
    answer: shapes.pageOf(shapes.client),
    makes: ({ data }) => data,
  }),
  updateClient: step({
    line: 'PATCH /clients/{}',
    operation: 'update_client',
    scope: 'clients',
    status: 202,
    prepare: async (world) => {
      const id = await registeredClient(world);
      return (call) => world.api.updateClient(id, { legal_name: 'Corner Gyms Pty Ltd' }, call);
    },
    answer: shapes.NO_BODY,
    makes: nothing,
  }),
  createCounterparty: step({
    line: 'POST /counterparties',
    operation: 'create_counterparty',
    scope: 'counterparties',
    status: 201,
    prepare: (world) => (call) => world.api.createCounterparty(counterpartyRequest(), call),
    answer: shapes.one(shapes.counterparty),
    makes: ({ data }) => data,
  }),
};

const LOOKUPS = {
  resolveAlias: step({
    line: 'POST /payto/alias_resolution',
    operation: 'resolve_alias',
    scope: 'pay_to_aliases',
    status: 200,
    prepare: (world) => {
      const requester = { id: 'user-7', remote_ip: '192.0.2.7' };
      const request = { type: 'alias_email', value: 'payer@example.com', requester };
      return (call) => world.api.resolveAlias(request, call);
    },
    answer: shapes.one(shapes.aliasResolution),
    makes: ({ data }) => data,
  }),
  validateAccount: step({
    line: 'POST /cop/account/validate',
    operation: 'validate_account',
    scope: 'cop_account_validations',
    status: 200,
    prepare: (world) => {
      const request = { uid: unique('cop'), ...payer(), requester: { id: 'user-7' } };
      return (call) => world.api.validateAccount(request, call);
    },
    answer: shapes.one(shapes.accountValidation),
    makes: ({ data }) => data,
  }),
  ping: step({
    line: 'GET /ping',
    operation: 'ping',
    scope: null,
    status: 200,
    prepare: (world) => (call) => world.api.ping(call),
    answer: shapes.anything,
    makes: nothing,
  }),
  getUser: step({
    line: 'GET /user',
    operation: 'get_user',
    scope: null,
    status: 200,
    prepare: (world) => (call) => world.api.getUser(call),
    answer: shapes.one(shapes.anything),
    makes: ({ data }) => data,
  }),
};

const FLOAT_ACCOUNTS = {
  listBankAccounts: step({
    line: 'GET /bank_accounts',
    operation: 'list_float_accounts',
    scope: 'bank_accounts',
    status: 200,
    prepare: (world) => (call) => all(world.api.listBankAccounts(call)),
    answer: shapes.coreListOf(shapes.floatAccount),
    makes: ({ data }) => data,
  }),
  getFloatAccount: step({
    line: 'GET /bank_accounts/{}',
    operation: 'get_float_account',
    scope: 'bank_accounts',
    status: 200,
    prepare: (world) => (call) => world.api.getFloatAccount(FLOAT_ID, call),
    answer: shapes.one(shapes.floatAccount),
    makes: ({ data }) => data,
  }),
  listFloatAccountEntries: step({
    line: 'GET /bank_accounts/{}/entries',
    operation: 'list_float_entries',
    scope: 'bank_accounts',
    status: 200,
    prepare: async (world) => {
      await incomingCredit(world, 'npp_bban');
      await incomingCredit(world, 'de');
      return (call) => all(world.api.listFloatAccountEntries(FLOAT_ID, {}, call));
    },
    answer: shapes.coreListOf(shapes.floatEntry),
    makes: ({ data }) => data.map(dated),
  }),
  getFloatAccountEntry: step({
    line: 'GET /bank_accounts/{}/entries/{}',
    operation: 'get_float_entry',
    scope: 'bank_accounts',
    status: 200,
    prepare: async (world) => {
      await incomingCredit(world, 'npp_bban', { amount: 77 });
      const [entry] = await all(world.api.listFloatAccountEntries(FLOAT_ID, { perPage: 1 }, world.call));
      return (call) => world.api.getFloatAccountEntry(FLOAT_ID, entry?.id ?? '', call);
    },
    answer: shapes.one(shapes.floatEntry),
    makes: ({ data }) => dated(data),
  }),
};

async function aDelivery(world: World): Promise<{ webhookId: string; ref: string; id: string }> {
  const ref = await activeAgreement(world);
  const [webhook] = await all(world.api.listWebhooks(world.call));
  const webhookId = webhook?.id ?? '';
  const [delivery] = await all(world.api.listWebhookDeliveries(webhookId, { ref }, world.call));
  return { webhookId, ref, id: delivery?.id ?? '' };
}

const WEBHOOKS = {
  listWebhooks: step({
    line: 'GET /webhooks',
    operation: 'list_webhooks',
    scope: 'webhooks',
    status: 200,
    prepare: (world) => (call) => all(world.api.listWebhooks(call)),
    answer: shapes.coreListOf(shapes.webhook),
    makes: ({ data }) => data.map(({ id, url, events }) => ({ id, url, events })),
  }),
  listWebhookDeliveries: step({
    line: 'GET /webhooks/{}/deliveries',
    operation: 'list_webhook_deliveries',
    scope: 'webhooks',
    status: 200,
    prepare: async (world) => {
      const { webhookId, ref } = await aDelivery(world);
      return (call) => all(world.api.listWebhookDeliveries(webhookId, { ref }, call));
    },
    answer: shapes.coreListOf(shapes.delivery),
    makes: ({ data }) => data.map(dated),
  }),
  getWebhookDelivery: step({
    line: 'GET /webhook_deliveries/{}',
    operation: 'get_webhook_delivery',
    scope: 'webhooks',
    status: 200,
    prepare: async (world) => {
      const { id } = await aDelivery(world);
      return (call) => world.api.getWebhookDelivery(id, call);
    },
    answer: shapes.one(shapes.wholeDelivery),
    makes: ({ data }) => dated(data),
  }),
  redeliverWebhook: step({
    line: 'POST /webhook_deliveries/{}/redeliver',
    operation: 'redeliver_webhook',
    scope: 'webhooks',
    status: 202,
    prepare: async (world) => {
      const { id } = await aDelivery(world);
      return (call) => world.api.redeliverWebhook(id, call);
    },
    answer: shapes.one(shapes.redelivery),
    makes: ({ data }) => data,
  }),
};

export const CORE_STEPS = {
  ...CLIENTS,
  ...LOOKUPS,
  ...FLOAT_ACCOUNTS,
  ...INVESTIGATION_STEPS,
  ...WEBHOOKS,
} satisfies Partial<Record<keyof PaymentsApi, Step>>;
