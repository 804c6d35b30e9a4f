import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as shapes from '../support/payments-api/resource-shapes.js';
import { VERSION_HEADER } from '../../tools/conform/world.js';
import { WALK } from '../../tools/conform/walk.js';
import { historyEntry } from '../support/payments-api/event-shapes.js';
import { startWorld, type World } from '../support/payments-api/contract-world.js';
import { thrownBy } from '../support/payments-api/loopback.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';
import type { Exchange } from '../../tools/conform/recorder.js';

const utc = (written: string): string => new Date(written).toISOString();

const dated = <Wire extends { created_at: string }>(wire: Wire): Wire => ({
  ...wire,
  created_at: utc(wire.created_at),
});

function agreementOf(wire: z.output<typeof shapes.agreement>): object {
  const { uid, state, state_reason, state_caused_by, mms_agreement_id, created_at, links, ...rest } = wire;
  const { resolution_requested_before: deadline, ...mandate } = rest;
  expect(links.self).toMatch(new RegExp(`/payto/agreements/${uid}$`));
  return {
    uid,
    state,
    causedBy: state_caused_by,
    reason: state_reason === null ? undefined : { code: state_reason },
    mmsAgreementId: mms_agreement_id ?? undefined,
    createdAt: utc(created_at),
    mandate: { ...mandate, resolution_requested_before: deadline === null ? undefined : utc(deadline) },
  };
}

function createdAgreementOf({ id, ...agreement }: z.output<typeof shapes.createdAgreement>): object {
  expect(id).not.toBe(agreement.uid);
  return agreementOf(agreement);
}

function paymentOf(wire: z.output<typeof shapes.payment>): object {
  const { uid, state, failure, created_at, creditor, debtor, agreement_uid, amount, priority } = wire;
  const { reference, description, creditor_reference, last_payment, metadata } = wire;
  return {
    uid,
    state,
    failure: failure ?? undefined,
    createdAt: utc(created_at),
    debtor,
    order: {
      ...{ agreement_uid, amount, priority, last_payment, metadata },
      reference: reference ?? undefined,
      description: description ?? undefined,
      creditor_reference: creditor_reference ?? undefined,
      creditor: { party_name: creditor.name, account_identifier: creditor.account_identifier },
    },
  };
}

const refundOf = (wire: z.output<typeof shapes.refund>): object => ({
  uid: wire.uid,
  state: wire.state,
  order: { original_payment_uid: wire.original_payment_uid, refund_payment: wire.refund_payment },
  createdAt: utc(wire.created_at),
});

function disputeOf({ attributes, relationships, ...wire }: z.output<typeof shapes.dispute>): object {
  const data = relationships.events.data.map((one) => ({
    ...one,
    attributes: { ...one.attributes, at: utc(one.attributes.at) },
  }));
  return {
    ...wire,
    attributes: { ...attributes, raised_at: utc(attributes.raised_at) },
    relationships: { ...relationships, events: { ...relationships.events, data } },
  };
}

const amendmentOf = (wire: z.output<typeof shapes.amendment>): object => ({
  ...dated(wire),
  resolution_requested_before: utc(wire.resolution_requested_before),
});

const linkOf = ({ attributes: { download_link: link } }: z.output<typeof shapes.reportLink>): object => ({
  ...{ url: link.url, expiresAt: utc(link.expires_at) },
});

function historyOf(entries: z.output<typeof historyEntry>[]): object[] {
  const times = entries.map(({ published_at }) => published_at);
  expect(times).toEqual(times.toSorted().toReversed());
  return entries.map(
    ({ id, type, published_at }): object =>
      expect.objectContaining({
        ...{ id, type: type.replace('payto_agreement.', ''), publishedAt: utc(published_at) },
      }) as object,
  );
}

type Expected = (bodies: unknown[]) => unknown;

const same = <Wire>(wire: Wire): Wire => wire;
const nothing: Expected = () => undefined;
const noBody: Expected = (bodies) => shapes.NO_BODY.parse(bodies[0]);

const one =
  <Shape extends z.ZodType>(shape: Shape, read: (wire: z.output<Shape>) => unknown = same): Expected =>
  ([body]) =>
    read(shape.parse(z.strictObject({ data: z.unknown() }).parse(body).data));
const loose =
  <Shape extends z.ZodType>(shape: Shape, read: (wire: z.output<Shape>) => unknown): Expected =>
  ([body]) =>
    read(shape.parse(z.object({ data: z.unknown() }).parse(body).data));
const listed =
  <Shape extends z.ZodType>(shape: Shape, read: (wire: z.output<Shape>) => unknown = same): Expected =>
  (bodies) =>
    bodies.flatMap((body) =>
      shapes
        .pageOf(shape)
        .parse(body)
        .data.map((wire) => read(wire)),
    );
const core =
  <Shape extends z.ZodType>(shape: Shape, read: (wire: z.output<Shape>) => unknown = same): Expected =>
  (bodies) =>
    bodies.flatMap((body) =>
      shapes
        .coreListOf(shape)
        .parse(body)
        .data.map((wire) => read(wire)),
    );
const page =
  <Shape extends z.ZodType>(shape: Shape, read: (wire: z.output<Shape>) => unknown): Expected =>
  (bodies) => ({ items: listed(shape, read)(bodies), unreadable: 0, next: undefined });

const webhookOf = ({ id, url, events }: z.output<typeof shapes.webhook>): object => ({ id, url, events });
const sha256 = (text: unknown): string => createHash('sha256').update(String(text)).digest('hex');

type Row = [line: string, operation: string, scope: string | null, status: number, expected: Expected];

const AGREEMENT = '/payto/agreements/{}';
const DISPUTE = '/investigations/disputes/{}';
const ACTION = '/investigations/action_requests/{}';
const REPORT = '/merchant_reports/payto_settlement/{}/download';

// prettier-ignore
const ROWS: Record<keyof PaymentsApi, Row> = {
  createAgreement: ['POST /payto/agreements', 'create_agreement', 'pay_to_agreements', 201, one(shapes.createdAgreement, createdAgreementOf)],
  getAgreement: [`GET ${AGREEMENT}`, 'get_agreement', 'pay_to_agreements', 200, one(shapes.agreement, agreementOf)],
  listAgreements: ['GET /payto/agreements', 'list_agreements', 'pay_to_agreements', 200, listed(shapes.agreement, agreementOf)],
  listAgreementPage: ['GET /payto/agreements', 'list_agreements', 'pay_to_agreements', 200, page(shapes.agreement, agreementOf)],
  getAgreementHistory: [`GET ${AGREEMENT}/history`, 'agreement_history', 'pay_to_agreements', 200, (bodies) => historyOf(bodies.flatMap((body) => shapes.pageOf(historyEntry).parse(body).data))],
  addIdentification: [`POST ${AGREEMENT}/add_identification`, 'add_identification', 'pay_to_agreements', 200, one(shapes.identifiedAgreement, agreementOf)],
  cancelAgreement: [`POST ${AGREEMENT}/cancellation`, 'cancel_agreement', 'pay_to_cancellations', 202, noBody],
  suspendAgreement: [`POST ${AGREEMENT}/suspension`, 'suspend_agreement', 'pay_to_suspensions', 202, noBody],
  reactivateAgreement: [`POST ${AGREEMENT}/reactivation`, 'reactivate_agreement', 'pay_to_reactivations', 202, noBody],
  proposeAmendment: [`POST ${AGREEMENT}/amendment`, 'amend_agreement', 'pay_to_amendments', 202, noBody],
  getAmendment: [`GET ${AGREEMENT}/amendment`, 'get_amendment', 'pay_to_amendments', 200, one(shapes.amendment, amendmentOf)],
  recallAmendment: [`POST ${AGREEMENT}/amendment/recall`, 'recall_amendment', 'pay_to_amendment_recalls', 202, noBody],
  createPayment: ['POST /payto/payments', 'create_payment', 'pay_to_payments', 201, one(shapes.payment, paymentOf)],
  getPayment: ['GET /payto/payments/{}', 'get_payment', 'pay_to_payments', 200, one(shapes.payment, paymentOf)],
  listPayments: ['GET /payto/payments', 'list_payments', 'pay_to_payments', 200, listed(shapes.payment, paymentOf)],
  listPaymentPage: ['GET /payto/payments', 'list_payments', 'pay_to_payments', 200, page(shapes.payment, paymentOf)],
  retryPayment: ['POST /payto/payments/{}/retry', 'retry_payment', 'pay_to_payments', 202, noBody],
  createRefund: ['POST /payto/refunds', 'create_refund', 'pay_to_refunds', 201, one(shapes.refund, refundOf)],
  getRefund: ['GET /payto/refunds/{}', 'get_refund', 'pay_to_refunds', 200, one(shapes.refund, refundOf)],
  listRefunds: ['GET /payto/refunds', 'list_refunds', 'pay_to_refunds', 200, listed(shapes.refund, refundOf)],
  listRefundPage: ['GET /payto/refunds', 'list_refunds', 'pay_to_refunds', 200, page(shapes.refund, refundOf)],
  createClient: ['POST /clients', 'create_client', 'clients', 201, one(shapes.client)],
  getClient: ['GET /clients/{}', 'get_client', 'clients', 200, one(shapes.client.extend({ services: shapes.activePayTo }))],
  listClients: ['GET /clients', 'list_clients', 'clients', 200, listed(shapes.client)],
  updateClient: ['PATCH /clients/{}', 'update_client', 'clients', 202, noBody],
  createCounterparty: ['POST /counterparties', 'create_counterparty', 'counterparties', 201, one(shapes.counterparty)],
  resolveAlias: ['POST /payto/alias_resolution', 'resolve_alias', 'pay_to_aliases', 200, one(shapes.aliasResolution)],
  validateAccount: ['POST /cop/account/validate', 'validate_account', 'cop_account_validations', 200, one(shapes.accountValidation)],
  ping: ['GET /ping', 'ping', null, 200, nothing],
  getUser: ['GET /user', 'get_user', null, 200, one(shapes.anything)],
  listBankAccounts: ['GET /bank_accounts', 'list_float_accounts', 'bank_accounts', 200, core(shapes.floatAccount)],
  getFloatAccount: ['GET /bank_accounts/{}', 'get_float_account', 'bank_accounts', 200, one(shapes.floatAccount)],
  listFloatAccountEntries: ['GET /bank_accounts/{}/entries', 'list_float_entries', 'bank_accounts', 200, core(shapes.floatEntry, dated)],
  getFloatAccountEntry: ['GET /bank_accounts/{}/entries/{}', 'get_float_entry', 'bank_accounts', 200, one(shapes.floatEntry, dated)],
  requestSettlementReport: [`POST ${REPORT}`, 'download_settlement_report', 'pay_to_payments', 201, loose(shapes.reportLink, linkOf)],
  downloadSettlementReport: ['GET /reports/payto_settlement/{}', 'get_settlement_report', null, 200, ([text]) => ({ checksum: sha256(text) })],
  listDisputes: ['GET /investigations/disputes', 'list_disputes', 'pay_to_payments', 200, loose(z.array(shapes.dispute), (all) => all.map(disputeOf))],
  getDispute: [`GET ${DISPUTE}`, 'get_dispute', 'pay_to_payments', 200, loose(shapes.dispute, disputeOf)],
  acceptActionRequest: [`POST ${ACTION}/accept`, 'accept_action_request', 'pay_to_payments', 200, loose(shapes.dispute, disputeOf)],
  rejectActionRequest: [`POST ${ACTION}/reject`, 'reject_action_request', 'pay_to_payments', 200, loose(shapes.dispute, disputeOf)],
  uploadEvidence: [`POST ${ACTION}/upload`, 'upload_evidence', 'pay_to_payments', 200, loose(shapes.upload, same)],
  listWebhooks: ['GET /webhooks', 'list_webhooks', 'webhooks', 200, core(shapes.webhook, webhookOf)],
  listWebhookDeliveries: ['GET /webhooks/{}/deliveries', 'list_webhook_deliveries', 'webhooks', 200, core(shapes.delivery, dated)],
  getWebhookDelivery: ['GET /webhook_deliveries/{}', 'get_webhook_delivery', 'webhooks', 200, one(shapes.wholeDelivery, dated)],
  redeliverWebhook: ['POST /webhook_deliveries/{}/redeliver', 'redeliver_webhook', 'webhooks', 202, one(shapes.redelivery)],
};

let world: World;
let stranger: Call;
beforeAll(async () => {
  world = await startWorld();
  stranger = await world.connect('public');
});
afterAll(() => world.close());

const placeOf = (line: string): RegExp =>
  new RegExp(`^${line.replaceAll('/', '\\/').replaceAll('{}', '[\\w~.-]+')}$`);

const SENT = { [VERSION_HEADER]: '20260901', accept: 'application/json', 'user-agent': 'payto-agreements' };

function expectExchange({ method, path, status, sentHeaders, headers }: Exchange, [line, , , expected]: Row) {
  expect(`${method} ${path}`).toMatch(placeOf(line));
  expect(status).toBe(expected);
  if (path.startsWith('/reports/')) return expect(sentHeaders).toEqual({});
  expect(sentHeaders).toMatchObject({ ...SENT, authorization: `Bearer ${world.call.accessToken}` });
  expect(headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
}

function expectPages(exchanges: readonly Exchange[]): void {
  const [first, ...others] = exchanges.map(({ query }) => query);
  expect(first).not.toHaveProperty('starting_after');
  for (const { starting_after: cursor, ...query } of others) {
    expect(cursor).toBeTruthy();
    expect(query).toMatchObject(first ?? {});
  }
}

const steps = Object.entries(ROWS).map(([method, row]) => ({ method, row, line: row[0] }));

describe('operation', () => {
  test.each(steps)('$method sends $line with scope and version', async ({ method, row }) => {
    const [, operation, scope, status, expected] = row;
    const [first, ...others] = await WALK[method as keyof PaymentsApi](world);
    if (first === undefined) throw new Error('expected a request');
    await world.control.advance(1);
    if (scope !== null) {
      const refused = world.mark();
      expect(await thrownBy(() => first(world.api, stranger))).toMatchObject({
        code: 'forbidden',
        status: 403,
        requiredScope: scope,
        providerCodes: [],
      });
      expect(world.control.ledger(refused)).toMatchObject([{ kind: 'call', operation, status: 403 }]);
    }
    for (const send of [first, ...others]) {
      const before = { mark: world.mark(), count: world.exchanges.length };
      const result = await send(world.api, world.call);
      const exchanges = world.exchanges.slice(before.count);
      expect(exchanges.length).toBeGreaterThan(0);
      for (const exchange of exchanges) expectExchange(exchange, row);
      expectPages(exchanges);
      expect(result).toEqual(expected(exchanges.map(({ body }) => body)));
      const calls = world.control.ledger(before.mark, { kind: 'call' });
      expect(calls).toMatchObject(exchanges.map(() => ({ operation, status })));
    }
  });
});
