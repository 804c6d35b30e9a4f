import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as shapes from '../support/payments-api/resource-shapes.js';
import {
  agreementRequest,
  biller,
  clientRequest,
  counterpartyRequest,
  payer,
} from '../../tools/conform/requests.js';
import { activeAgreement, registeredAccount, registeredClient } from '../../tools/conform/resources.js';
import { startWorld, type World } from '../support/payments-api/contract-world.js';
import { VERSIONS, VERSION_HEADER, type Version } from '../../tools/conform/world.js';
import { CALL } from '../support/payments-api/examples.js';
import { fakeProvider } from '../support/payments-api/fake-provider.js';
import { thrownBy } from '../support/payments-api/loopback.js';
import type { AmendmentRequest } from '../../payments-api/requests/agreement.schema.js';
import type { NewAgreement } from '../../payments-api/requests/intended.js';
import type { Call, PaymentsApi } from '../../payments-api/client.js';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const OLD = ['20250101', '20260101'] as const;
const NEW = ['20260901'] as const;

interface Request {
  send: (api: PaymentsApi, call: Call) => Promise<unknown>;
  path: string;
  body: object;
}

interface Row {
  operation: keyof PaymentsApi;
  what: string;
  acceptedBy: readonly Version[];
  prepare: (version: Version) => Request | Promise<Request>;
  refusal: { status: number; code?: string };
  useInstead: string;
}

const created = (overrides: Partial<NewAgreement>): Request => {
  const body = agreementRequest(overrides);
  return { send: (api, call) => api.createAgreement(body, call), path: '/payto/agreements', body };
};
const amended = (uid: string, body: AmendmentRequest): Request => ({
  send: (api, call) => api.proposeAmendment(uid, body, call),
  path: `/payto/agreements/${uid}/amendment`,
  body,
});
const client = (overrides: object): Request => {
  const body = clientRequest(world, overrides);
  return { send: (api, call) => api.createClient(body, call), path: '/clients', body };
};

const UNKNOWN_FIELD = { status: 400 };
const NO_VALID_CLIENT = { status: 422 };
const NO_SUCH_CALL = { status: 404 };

const isNew = (version: Version): boolean => version === '20260901';
const row =
  (acceptedBy: readonly Version[], refusal: Row['refusal'] = UNKNOWN_FIELD) =>
  (operation: Row['operation'], what: string, useInstead: string, prepare: Row['prepare']): Row => ({
    ...{ operation, what, useInstead, acceptedBy, refusal, prepare },
  });
const everywhere = row(VERSIONS);
const onlyOld = row(OLD);
const onlyNew = row(NEW);

const initiator = (
  what: string,
  fields: NewAgreement['initiator'],
  onOld: NewAgreement['initiator'] = {},
): Row =>
  onlyOld('createAgreement', what, 'initiator.client_id', (version) =>
    created({ initiator: isNew(version) ? fields : { ...fields, ...onOld } }),
  );

const AGREEMENTS: readonly Row[] = [
  everywhere('createAgreement', 'no initiator', '', () => created({})),
  initiator('initiator.abn', { name: 'B', abn: '53004085616' }, { legal_name: 'B Pty Ltd' }),
  initiator('initiator.acn', { name: 'B', acn: '004085616' }, { legal_name: 'B Pty Ltd' }),
  initiator('initiator.legal_name', { legal_name: 'B Pty Ltd' }, { name: 'B', abn: '53004085616' }),
  onlyNew('createAgreement', 'initiator.client_id', 'initiator.abn', async () =>
    created({ initiator: { client_id: await registeredClient(world) } }),
  ),
  onlyNew('createAgreement', 'debtor.payment_account_uid', 'account_identifier', async () =>
    created({ debtor: { party_name: 'A Payer', payment_account_uid: await registeredAccount(world) } }),
  ),
  onlyNew('createAgreement', 'creditor.payment_account_uid', 'account_identifier', async () => {
    const payment_account_uid = await registeredAccount(world, biller().account_identifier);
    return created({ creditor: { party_name: 'B', ultimate_party_name: 'B', payment_account_uid } });
  }),
  everywhere('proposeAmendment', 'changes.description', '', async () =>
    amended(await activeAgreement(world), { changes: { description: 'Plan 78' } }),
  ),
  onlyOld('proposeAmendment', 'changes.initiator', 'addIdentification', async () =>
    amended(await activeAgreement(world), { changes: { initiator: { name: 'New Name' } } }),
  ),
  onlyNew('proposeAmendment', 'changes.creditor.payment_account_uid', 'account_identifier', async () => {
    const payment_account_uid = await registeredAccount(world);
    return amended(await activeAgreement(world), { changes: { creditor: { payment_account_uid } } });
  }),
  row(NEW, NO_SUCH_CALL)('addIdentification', 'no such call', 'new agreement', async () => {
    const debtor = payer();
    const uid = await activeAgreement(world, { debtor });
    const payment_account_uid = await registeredAccount(world, debtor.account_identifier);
    const body = { debtor: { payment_account_uid } };
    const path = `/payto/agreements/${uid}/add_identification`;
    return { send: (api, call) => api.addIdentification(uid, body, call), path, body };
  }),
];

const CLIENTS: readonly Row[] = [
  row(OLD, NO_VALID_CLIENT)('createClient', 'risk_level', 'merchant_category_code', () =>
    client({ risk_level: 'high' }),
  ),
  row(NEW, NO_VALID_CLIENT)('createClient', 'parent_client_id', 'no parent', async (version) => {
    world.control.setOrganisation({ deep_hierarchy: true });
    const parent_client_id = await registeredClient(world);
    return client(isNew(version) ? { parent_client_id } : { risk_level: 'low', parent_client_id });
  }),
  row(NEW, NO_SUCH_CALL)('createCounterparty', 'no such call', 'account_identifier', () => {
    const body = counterpartyRequest();
    return { send: (api, call) => api.createCounterparty(body, call), path: '/counterparties', body };
  }),
];

const ROWS = [...AGREEMENTS, ...CLIENTS];
const cases = ROWS.flatMap((row) => VERSIONS.map((version) => ({ version, ...row })));
const accepted = cases.filter(({ version, acceptedBy }) => acceptedBy.includes(version));
const refused = cases.filter(({ version, acceptedBy }) => !acceptedBy.includes(version));

describe('accepted requests', () => {
  test.each(accepted)('$version: $operation with $what', async ({ version, prepare }) => {
    const { send, path, body } = await prepare(version);
    await send(world.on(version), world.call);
    const { method, path: sentTo, sentHeaders, sent, status } = world.last();
    expect(`${method} ${sentTo}`).toBe(`POST ${path}`);
    expect(sentHeaders[VERSION_HEADER]).toBe(version);
    expect(sent).toEqual(body);
    expect([200, 201, 202]).toContain(status);
  });
});

async function answerTo(version: Version, { path, body }: Request): Promise<object> {
  world.changeNext({ headers: { [VERSION_HEADER]: version } });
  await world.post(path, body);
  const { status, body: answer } = world.last();
  const { errors } = shapes.errors.parse(answer);
  return { status, code: typeof errors === 'string' ? errors : errors[0]?.code };
}

describe('requests refused before sending', () => {
  test.each(refused)(
    '$version: $operation with $what',
    async ({ version, operation, what, prepare, refusal, useInstead }) => {
      const request = await prepare(version);
      await world.control.advance(1);
      const before = world.mark();
      const exchanges = world.exchanges.length;
      const error = await thrownBy(() => request.send(world.on(version), world.call));
      expect(error).toMatchObject({ code: 'rejected', status: undefined, providerCodes: [] });
      for (const named of [`${operation}: `, what, version]) expect(String(error)).toContain(named);
      expect(String(error)).toMatch(new RegExp(`\\. Use .*${useInstead}.* instead$`));
      expect(world.exchanges).toHaveLength(exchanges);
      expect(world.control.ledger(before)).toEqual([]);
      expect(await answerTo(version, request)).toEqual({ code: undefined, ...refusal });
      expect(world.control.ledger(before, { kind: 'change' })).toEqual([]);
    },
  );

  test.each(OLD)('%s: createAgreement with both abn and acn, or with neither', async (version) => {
    for (const numbers of [{ abn: '53004085616', acn: '004085616' }, {}]) {
      const request = created({ initiator: { name: 'B', legal_name: 'B Pty Ltd', ...numbers } });
      const before = world.mark();
      const error = await thrownBy(() => request.send(world.on(version), world.call));
      expect(error).toMatchObject({ code: 'rejected', status: undefined });
      expect(String(error)).toContain('exactly one of initiator.abn and initiator.acn');
      expect(world.control.ledger(before)).toEqual([]);
      expect(await answerTo(version, request)).toEqual({ status: 422, code: 'ZPAGR18' });
    }
  });
});

test.each(OLD)('%s: both sides refuse a client without a risk level', async (version) => {
  const request = client({});
  const error = await thrownBy(() => request.send(world.on(version), world.call));
  expect(error).toMatchObject({ code: 'rejected', status: undefined });
  expect(await answerTo(version, request)).toEqual({ status: 422, code: undefined });
});

test('a future version follows the rules of the latest one', async () => {
  const { api, requests } = fakeProvider({}, '20270101');
  const initiator = { name: 'B', legal_name: 'B Pty Ltd', abn: '53004085616' };
  const error = await thrownBy(() => api.createAgreement(agreementRequest({ initiator }), CALL));
  expect(String(error)).toContain('no initiator.abn on version 20270101');
  expect(requests).toEqual([]);
});
